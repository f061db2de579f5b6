import type { JsonSchema } from '../base/json.ts'
import { late } from '../base/late.ts'
import type { Site } from '../model/types.ts'
import { type Route, route } from './route.ts'

const answerIndex = late(() => import('./service-index.ts'), 'answerIndex')
const answerDocs = late(() => import('./docs-page.ts'), 'answerDocs')
const answerDocsFile = late(() => import('./docs-page.ts'), 'answerDocsFile')

/** Where a program, and whoever writes one, begins: what there is, and a page that shows and tries the interface. */
export function serviceRoutes(site: Site): readonly Route[] {
  const common = { method: 'GET', tag: 'service', ignoresLocale: true } as const
  const page = { ...common, answer: { type: 'string' }, cached: true, ignoresQuery: true } as const
  return [
    route({
      ...common,
      path: '/api/v1',
      summary: 'Where to begin: the types that the caller may read, and the descriptions of the interface',
      operationId: 'service.index',
      answer: INDEX,
      handle: async (ctx, { headers }) => answerIndex(ctx, headers),
    }),
    route({
      ...page,
      path: '/api/v1/docs',
      summary: 'A page that shows this description, and sends requests',
      operationId: 'service.docs',
      mediaType: 'text/html',
      handle: () => answerDocs(site),
    }),
    route({
      ...page,
      path: '/api/v1/docs/:file',
      summary: 'A file of the page that shows this description',
      operationId: 'service.docs-file',
      mediaType: 'text/javascript',
      handle: (_, { params }) => answerDocsFile(params.file ?? ''),
    }),
  ]
}

const link = (description: string): JsonSchema => ({ type: 'string', format: 'uri-reference', description })

const INDEX: JsonSchema = {
  type: 'object',
  required: ['name', 'types', 'locales', 'login', 'openapi', 'docs'],
  properties: {
    name: { type: 'string', description: 'The name of the site.' },
    types: {
      type: 'array',
      description: 'The piece types that the caller may read.',
      items: {
        type: 'object',
        required: ['name', 'label', 'url'],
        properties: {
          name: { type: 'string', description: 'As in URLs.' },
          label: { type: 'string', description: 'For people.' },
          url: link('The list of its documents.'),
        },
      },
    },
    pages: link('The page tree; absent where the caller may read no pages.'),
    locales: link('The locales.'),
    login: link('Where users sign in, by POST.'),
    openapi: link('The whole interface, as OpenAPI 3.1.'),
    docs: link('The same as a page, for browsers.'),
  },
}
