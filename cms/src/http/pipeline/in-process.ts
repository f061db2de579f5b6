import { tooLarge } from '../../base/errors.ts'
import type { ContentOptions } from '../../engine/content-operations.ts'
import type { Context } from '../../engine/context.ts'
import { inTransaction } from '../../engine/contexts.ts'
import type { Actor } from '../../engine/permissions.ts'
import { JoinedBytes } from '../../engine/shared-bytes.ts'
import { isWriting } from '../../engine/write.ts'
import { type Body, parseBody, withAiMark } from '../requests/body.ts'
import { assertSees, requestedOf } from '../requests/locale-prefixes.ts'
import { queryFromJson } from '../requests/query-string.ts'
import { checkQuery } from '../requests/read-parameters.ts'
import { type QueryValues, Reply, type Route, type RouteRequest, type Upload } from '../requests/route.ts'
import { checkNames } from '../requests/unknown-names.ts'

/** The request of an operation in process. */
export interface InProcessRequest {
  readonly id?: string
  /** Parameters of the path other than `_id`. */
  readonly params?: RouteRequest['params']
  /** The tag of the document as the caller knows it. */
  readonly ifMatch?: string | null
  /** The file of a route that takes one. */
  readonly upload?: Upload
  readonly query?: { readonly [name: string]: unknown } | undefined
  readonly body?: { readonly [name: string]: unknown }
}

/** The caller of an operation in process, with locale and mode. */
interface InProcessCaller {
  readonly actor: Actor
  /** Where neither an id nor the request says it. */
  readonly defaults: ContentOptions
  readonly options: ContentOptions
  /** It may name a locale and a mode, too, which then win. */
  readonly query?: InProcessRequest['query']
}

/**
 * The context of a caller in this process, in the transaction of `ctx` if there is one. Throws `invalid` for unknown
 * locales and modes, `notfound` for locales that the caller may not know of.
 */
export function contextOf(ctx: Context, { actor, defaults, options, query: asked = {} }: InProcessCaller): Context {
  const { aposLocale, aposMode } = asked
  const byDefault = requestedOf(ctx.site, placeQuery(defaults), ctx.locale, actor)
  const query = { ...placeQuery(options), ...queryOf({ aposLocale, aposMode }) }
  const requested = requestedOf(ctx.site, query, byDefault.locale, actor)
  assertSees({ site: ctx.site, actor }, requested.locale)
  const mode = requested.explicit.mode ?? byDefault.mode
  const changed = { ...requested, mode, actor, isExternalFront: false, isStaticBuild: false, origin: null }
  return isWriting(ctx)
    ? inTransaction(ctx, { ...changed, operations: ctx.operations.within() })
    : { ...ctx, ...changed }
}

/** The parameters that say the same as options: those without a value are left out. */
function placeQuery({ locale, mode }: ContentOptions): QueryValues {
  return queryOf({ aposLocale: locale ?? undefined, aposMode: mode ?? undefined })
}

/** A query as JSON says it: without what is undefined, dates as texts. */
function queryOf(query: object): QueryValues {
  return queryFromJson(JSON.parse(JSON.stringify(query)))
}

/** Runs a route in process and returns its answer as JSON. Work, permissions and limits are those of a request. */
export async function runRoute(ctx: Context, route: Route, request: InProcessRequest): Promise<unknown> {
  return (await replyInProcess(ctx, route, request)).body
}

/** Runs a route in process, as `runRoute`, and returns its answer with the headers: the body is JSON. */
export async function replyInProcess(ctx: Context, route: Route, request: InProcessRequest): Promise<Reply> {
  const query = queryOf(request.query ?? {})
  checkQuery(query, ctx.site.limits.ids)
  const body = bodyOf(ctx, request.body)
  const params = { ...request.params, _id: request.id ?? '' }
  route.permit?.(ctx, params)
  checkNames(ctx, route, { query, body })
  const { ifMatch = null, upload = NO_UPLOAD } = request
  const answer = await route.handle(withAiMark(ctx, body), { ...IN_PROCESS, params, query, body, ifMatch, upload })
  return answer instanceof Reply ? new Reply(copied(answer.body), answer.headers) : new Reply(copied(answer))
}

/** A copy of what an answer says: JSON, bytes of it included. */
export function copied(answer: unknown): unknown {
  const bytes = answer instanceof JoinedBytes ? answer.bytes() : answer
  return JSON.parse(bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : JSON.stringify(bytes ?? null))
}

/** A copy of a body, within the limits of one that is sent. */
export function bodyOf({ site }: Pick<Context, 'site'>, body: object = {}): Body {
  const bytes = Buffer.from(JSON.stringify(body))
  const most = site.limits.bodyBytes
  if (bytes.length > most) throw tooLarge(`A document takes at most ${most} bytes.`)
  return parseBody(bytes, { 'content-type': 'application/json' })
}

const NO_UPLOAD: Upload = {
  file: async () => {
    throw new Error('Files cannot be uploaded in process: use importFile.')
  },
}

/** The parts of a request that have no meaning in process. */
const IN_PROCESS = {
  url: '',
  headers: {},
  isHead: false,
  sender: { address: '', credential: null, isSecure: true, isForeign: false, isFrontend: false },
} as const
