import { notFound } from '../../base/errors.ts'
import { acceptedEncoding } from '../../http/pipeline/compression.ts'
import { keptForAYear } from '../../http/requests/headers.ts'
import { Reply, type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Feature } from '../feature.ts'
import { type BuiltFile, readAsset, readInside } from './built-files.ts'
import { answerEditorPage } from './editor-page.ts'

/** The editor in the browser (§11): its page at its path and everywhere below, and the files that it is built of. */
export const editor: Feature = { name: 'editor', routes: editorRoutes }

function editorRoutes({ editor }: Site): readonly Route[] {
  if (editor === null) return []
  const common = {
    method: 'GET',
    tag: 'editor',
    answer: { type: 'string' },
    mediaType: 'text/html',
    // Addresses of people, and no part of the interface.
    isFor: () => false,
    ignoresLocale: true,
    takesAnyQuery: true,
    // It does not use the database.
    isUrgent: true,
    isRevalidated: true,
  } as const
  const page = {
    ...common,
    summary: 'The editor',
    handle: (ctx) => answerEditorPage(ctx, editor),
  } satisfies Partial<Route>
  return [
    route({ ...page, path: editor.path, operationId: 'editor.home' }),
    route({ ...page, path: `${editor.path}/*`, operationId: 'editor.page' }),
    route({
      ...common,
      path: `${editor.path}/assets/*`,
      summary: 'A file of the editor',
      operationId: 'editor.file',
      handle: async (_, request) => answerAsset(request),
    }),
    route({
      ...common,
      path: `${editor.path}/inside.js`,
      summary: 'The script in the pages of drafts',
      operationId: 'editor.inside',
      handle: async (_, request) => answerInside(request),
    }),
  ]
}

/** A file whose name has a digest of its content, so that it never changes. */
async function answerAsset({ params, headers }: RouteRequest): Promise<Reply> {
  const file = await readAsset(params['*'] ?? '', acceptedEncoding(headers['accept-encoding']))
  return answerFile(file, keptForAYear(true))
}

/** The script keeps its name; pages of front ends load it from here, and those of drafts have an origin of nobody's. */
async function answerInside({ headers }: RouteRequest): Promise<Reply> {
  const file = await readInside(acceptedEncoding(headers['accept-encoding']))
  return answerFile(file, { ...keptForAYear(false), 'Cross-Origin-Resource-Policy': 'cross-origin' })
}

function answerFile(file: BuiltFile | null, more: Readonly<Record<string, string>>): Reply {
  if (file === null) throw notFound()
  const encoded = file.encoding === null ? {} : { 'Content-Encoding': file.encoding }
  return new Reply(file.bytes, {
    'Content-Type': file.type,
    Vary: 'Accept-Encoding',
    ...more,
    ...encoded,
  })
}
