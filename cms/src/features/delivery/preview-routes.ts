import { invalid, notFound } from '../../base/errors.ts'
import { dateTime, object, text } from '../../base/json-schema.ts'
import { issuePreview, revokePreviews } from '../../engine/access/previews.ts'
import type { Context } from '../../engine/context.ts'
import { resolveId } from '../../engine/locate.ts'
import { assertMaySome, pageTypes } from '../../engine/pages/page-access.ts'
import { parsePartialId } from '../../engine/pages/parked.ts'
import { type Actor, assertMay, may, roleOf, visitor } from '../../engine/permissions.ts'
import { pageUrl, pieceUrl } from '../../engine/presentation/document-url.ts'
import { hasUrls, indexPageOf } from '../../engine/presentation/piece-urls.ts'
import { viewOf } from '../../engine/view.ts'
import { emptyAnswer } from '../../http/openapi/answer-schemas.ts'
import { PREVIEW_PARAMETER } from '../../http/pipeline/credentials.ts'
import { type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import { type Document, slugOf } from '../../model/terms/document.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import { type Draft, findDraft } from './previewed.ts'

/** Documents that have previews: those of one piece type, or all pages. */
interface Previewable {
  readonly name: string
  readonly label: string
  readonly types: readonly Type[]
  /** Visitors see none of them, published or not. */
  readonly isUnseen: boolean
  /** Throws what the caller's role can never do. */
  assertMayRead(ctx: Context): void
}

/** Links that show one draft to anyone who has them (§4.2b), for pages and for every piece type with drafts. */
export function previewRoutes(site: Site): Route[] {
  const pages = {
    name: 'page',
    label: 'page',
    types: pageTypes(site),
    isUnseen: false,
    assertMayRead: (ctx: Context) => assertMaySome(ctx, 'readDraft'),
  }
  const pieces = [...site.types.values()].filter(
    ({ family, localized, singleton }) => family === 'piece' && localized && !singleton,
  )
  return [
    ...routesOf(`${site.namespace}/page`, pages),
    ...pieces.flatMap((type) =>
      routesOf(type.name, {
        name: type.name,
        label: type.label.toLowerCase(),
        types: [type],
        isUnseen: viewOf(visitor({ kind: 'anonymous' }), type) === null || !hasUrls(site, type),
        assertMayRead: ({ actor }) => assertMay(actor, 'readDraft', type),
      }),
    ),
  ]
}

function routesOf(name: string, documents: Previewable): Route[] {
  const path = `/api/v1/${name}/:_id/preview`
  const common = {
    path,
    tag: documents.name,
    isFor: (actor: Actor) => documents.types.some((type) => may(actor, 'readDraft', type)),
    permit: (ctx: Context, params: RouteRequest['params']) => void copyToPreview(ctx, documents, params),
  }
  return [
    route({
      ...common,
      method: 'POST',
      summary: `Preview: a link that shows the draft of one ${documents.label} to anyone who has it`,
      operationId: `${documents.name}.preview`,
      isSecret: true,
      isRefused: documents.isUnseen,
      body: { type: 'object', description: 'Nothing of it is read.' },
      answer: previewAnswer,
      handle: (ctx, request) => makePreview(ctx, documents, request),
    }),
    route({
      ...common,
      method: 'DELETE',
      summary: `Revoke all previews of one ${documents.label}`,
      operationId: `${documents.name}.revoke-previews`,
      answer: emptyAnswer,
      handle: async (ctx, request) => {
        const { document } = await previewable(ctx, documents, request)
        await revokePreviews(ctx, document.id)
        return {}
      },
    }),
  ]
}

const previewAnswer = object(['url', 'expiresAt'], {
  url: text('Where the draft is shown. It needs no other credential.'),
  expiresAt: dateTime('Until when.'),
})

async function makePreview(ctx: Context, documents: Previewable, request: RouteRequest): Promise<object> {
  const { document, type } = await previewable(ctx, documents, request)
  const url = await urlOf(ctx, document, type)
  const { secret, expiresAt } = await issuePreview(ctx, document.id)
  return { url: `${url}?${PREVIEW_PARAMETER}=${secret}`, expiresAt }
}

/** The draft that is meant. Throws `notfound` where there is none that the caller may read. */
async function previewable(ctx: Context, documents: Previewable, { params }: RouteRequest): Promise<Draft> {
  const { docId, locale } = copyToPreview(ctx, documents, params)
  const draft = await findDraft(ctx, docId, { locale, role: roleOf(ctx.actor) })
  if (draft === null || !documents.types.includes(draft.type)) throw notFound()
  return draft
}

/** The copy that an id means, if the caller may read drafts of such documents. Nothing is looked up. */
function copyToPreview(ctx: Context, documents: Previewable, { _id = '' }: RouteRequest['params']): DocumentId {
  const given = parsePartialId(_id)
  if (given === null) throw notFound()
  const id = resolveId(ctx, { localized: true }, given)
  documents.assertMayRead(ctx)
  return id
}

/** Returns the URL that it would have if it were published. Throws `invalid` for what visitors never see. */
async function urlOf(ctx: Context, document: Document, type: Type): Promise<string> {
  const { locale } = document.id
  const anonymous = visitor({ kind: 'anonymous' })
  if (viewOf(anonymous, type) === null) {
    throw invalid(`Visitors see no ${type.label}, published or not, so there is nothing to preview.`)
  }
  if (type.family === 'page') return pageUrl(ctx, locale, slugOf(document))
  const index = await indexPageOf({ ...ctx, actor: anonymous }, type, { locale, mode: 'published' })
  if (index !== null) return pieceUrl(ctx, locale, index.slug, slugOf(document))
  throw invalid(`No public page lists documents of this type, so they have no page of their own to preview.`)
}
