import { CmsError, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { own } from '../../base/json.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { locate, readIds } from '../../engine/locate.ts'
import { inParts } from '../../engine/save/save.ts'
import { write } from '../../engine/write.ts'
import { failureOf } from '../../http/requests/failure-status.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import type { Document } from '../../model/terms/document.ts'
import { type DocId, DocumentId } from '../../model/terms/document-id.ts'

type Body = { readonly [name: string]: unknown }

/** A change of a piece's state: the work on one document. */
export interface StateChange {
  /** In bulk it is made once for each locale of `toLocales`. */
  readonly isPerLocale?: true
  /** Reads and checks the body, and returns the work on one document. Throws `invalid`. */
  prepare(
    site: Site,
    body: Body,
    requested?: ReadonlySet<DocId>,
  ): (ctx: WriteContext, type: Type, id: NamedCopy) => Promise<ChangedPiece>
  /** Like `prepare`, for several documents of one locale at a time; `requested` are those of the request. */
  prepareMany?(
    site: Site,
    body: Body,
    requested: ReadonlySet<DocId>,
  ): (ctx: WriteContext, type: Type, ids: readonly DocumentId[]) => Promise<readonly ChangedPiece[]>
}

/** The copy that a request names, and the revision that its caller has read. */
export interface NamedCopy extends DocumentId {
  readonly ifMatch: string | null
}

/** A piece as it is after a change, and what else localizing has made. */
export interface ChangedPiece {
  readonly document: Document
  readonly localized?: readonly DocumentId[]
}

interface BulkResult {
  readonly _id: string
  /** The locale that it was to be copied to. */
  readonly toLocale?: string
  readonly ok: boolean
  readonly error?: object
}

/** Changes the state of many pieces (§4.1), each on its own: `{ results: [{ _id, ok, error? }] }`. */
export async function bulk(
  ctx: Context,
  { type, change }: { readonly type: Type; readonly change: StateChange },
  body: Body,
): Promise<object> {
  const requested = readIds(ctx, own(body, '_ids')).map((text) => ({ text, id: located(ctx, type, text) }))
  const ofBodies: BulkResult[][] = []
  for (const one of change.isPerLocale ? bodiesByLocale(ctx, body, requested.length) : [body]) {
    const work = change.prepare(ctx.site, one, docIdsOf(requested))
    const done = await together(ctx, type, { change, body: one, requested })
    const results: BulkResult[] = []
    for (const { text } of requested) {
      const changed = done.get(text)
      const result = await outcome(ctx, text, async () => {
        if (changed) return changed.document
        const id = locate(ctx, type, text)
        return (await write(ctx, (ctx) => work(ctx, type, { ...id, ifMatch: null }))).document
      })
      // `as`: `prepare` has refused everything but a locale.
      results.push(change.isPerLocale ? { ...result, toLocale: one.toLocale as string } : result)
    }
    ofBodies.push(results)
  }
  return { results: requested.flatMap((_, index) => ofBodies.flatMap((results) => results[index] ?? [])) }
}

/** An id as it was sent, and the document that it names; null where it names none. */
interface RequestedPiece {
  readonly text: string
  readonly id: DocumentId | null
}

function docIdsOf(requested: readonly RequestedPiece[]): Set<DocId> {
  return new Set(requested.flatMap(({ id }) => id?.docId ?? []))
}

function located(ctx: Context, type: Type, text: string): DocumentId | null {
  try {
    return locate(ctx, type, text)
  } catch (error) {
    if (error instanceof CmsError) return null
    throw error
  }
}

/**
 * Tries the change on some pieces at a time: what was changed, by the id as it was sent. Where one of them is refused,
 * nothing of its part is changed: each is then tried on its own.
 */
async function together(
  ctx: Context,
  type: Type,
  {
    change,
    body,
    requested,
  }: { readonly change: StateChange; readonly body: Body; readonly requested: readonly RequestedPiece[] },
): Promise<Map<string, ChangedPiece>> {
  const done = new Map<string, ChangedPiece>()
  const byLocale = Map.groupBy(requested, ({ id }) => id?.locale)
  for (const [locale, pieces] of byLocale) {
    if (change.prepareMany === undefined || locale === undefined) continue
    const texts = new Map(
      pieces.toReversed().flatMap(({ text, id }) => (id ? [[id.docId, { text, id }] as const] : [])),
    )
    const work = change.prepareMany(ctx.site, body, docIdsOf(requested))
    const scope = { read: ctx.store.documents, locale, types: [type] }
    for (const part of await inParts(ctx, [...texts.keys()].toReversed(), scope)) {
      if (part.length === 1) continue
      const named = part.flatMap((docId) => texts.get(docId) ?? [])
      const ids = named.map(({ id }) => id)
      // Those that are refused or fail are tried again, one by one, and reported.
      const changed = await write(ctx, (ctx) => work(ctx, type, ids)).catch(() => [])
      for (const [index, one] of changed.entries()) done.set(named[index]?.text ?? '', one)
    }
  }
  return done
}

/** The body for each of the locales, which multiply the work: together with the ids they have the limit of ids. */
function bodiesByLocale(ctx: Context, body: Body, ids: number): Body[] {
  const named = own(body, 'toLocales') ?? [own(body, 'toLocale')]
  if (!Array.isArray(named)) throw invalid('toLocales must be a list of locales.')
  const locales = [...new Set<unknown>(named)]
  const most = ctx.site.limits.ids
  if (ids * locales.length <= most) return locales.map((toLocale) => ({ ...body, toLocale }))
  throw invalid(
    `At most ${most} copies can be made together, and ${ids} documents in ${locales.length} locales are more. Do it in parts.`,
  )
}

async function outcome(
  ctx: Context,
  _id: string,
  work: () => Promise<{ readonly id: DocumentId }>,
): Promise<BulkResult> {
  try {
    const { id } = await work()
    return { _id: DocumentId.format(id), ok: true }
  } catch (error) {
    const requestId = newId()
    if (!(error instanceof CmsError)) ctx.log.error({ error, requestId }, 'A change in a bulk operation failed.')
    return { _id, ok: false, error: failureOf(error, requestId).body }
  }
}
