import { CmsError, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { own } from '../../base/json.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { locate } from '../../engine/locate.ts'
import { type Action, assertMay } from '../../engine/permissions.ts'
import { write } from '../../engine/write.ts'
import { failureOf } from '../../http/errors.ts'
import { type Document, DocumentId } from '../../model/document.ts'
import type { Site, Type } from '../../model/types.ts'

type Body = { readonly [name: string]: unknown }

/** A change of a piece's state: the action to permit, and the work on one document. */
export interface StateChange {
  readonly action: Action
  /** In bulk it is made once for each locale of `toLocales`. */
  readonly isPerLocale?: true
  /** Reads and checks the body, and returns the work on one document. Throws `invalid`. */
  prepare(site: Site, body: Body): (ctx: WriteContext, type: Type, id: NamedCopy) => Promise<ChangedPiece>
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
export async function bulk(ctx: Context, type: Type, change: StateChange, body: Body): Promise<object> {
  assertMay(ctx.actor, change.action, type)
  const ids = readIds(ctx, own(body, '_ids'))
  const works = bodiesOf(change, body).map((one) => ({ body: one, work: change.prepare(ctx.site, one) }))
  const results: BulkResult[] = []
  for (const idText of ids) {
    for (const { body, work } of works) {
      const result = await outcome(ctx, idText, async () => {
        const id = locate(ctx, type, idText)
        const { document } = await write(ctx, (ctx) => work(ctx, type, { ...id, ifMatch: null }))
        return document
      })
      // `as`: `prepare` has refused everything but a locale.
      results.push(change.isPerLocale ? { ...result, toLocale: body.toLocale as string } : result)
    }
  }
  return { results }
}

function bodiesOf(change: StateChange, body: Body): Body[] {
  if (!change.isPerLocale) return [body]
  const locales = own(body, 'toLocales') ?? [own(body, 'toLocale')]
  if (!Array.isArray(locales)) throw invalid('toLocales must be a list of locales.')
  return [...new Set(locales)].map((toLocale: unknown) => ({ ...body, toLocale }))
}

function readIds(ctx: Context, ids: unknown): string[] {
  const most = ctx.site.limits.ids
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) throw invalid('_ids must be a list of ids.')
  if (ids.length > most) throw invalid(`_ids takes at most ${most} ids.`)
  return [...new Set(ids)]
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
