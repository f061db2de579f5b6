import { closest } from '../../base/did-you-mean.ts'
import { invalid } from '../../base/errors.ts'
import { isObject, type JsonSchema, own } from '../../base/json.ts'
import { oncePer } from '../../base/lazy.ts'
import type { Context } from '../../engine/context.ts'
import { isAnonymous } from '../../engine/permissions.ts'
import type { UnknownName } from '../../engine/values/unknown-name.ts'
import { unknownProperties } from '../../engine/values/unknown-properties.ts'
import { archived, compareParameter, problemsParameter } from './read-parameters.ts'
import type { QueryParameter, Route, RouteRequest } from './route.ts'

/** The names of a request: those of its query, and the properties of its body. */
type RequestNames = Pick<RouteRequest, 'query' | 'body'>

/** The parts of a route that say which names it reads. */
type NamedRoute = Pick<
  Route,
  | 'method'
  | 'path'
  | 'query'
  | 'takesAnyQuery'
  | 'takesParameter'
  | 'body'
  | 'documents'
  | 'page'
  | 'isFor'
  | 'isRefused'
  | 'ignoresQuery'
>

/**
 * Finds the names in a request that its route does not read (§0.4), those of fields in the values of parameters too. Where the site is strict,
 * they are refused as `invalid`; else they are returned, and `quire dev` logs them. Routes that the caller may not know
 * of, and pages, report nothing.
 */
export function checkNames(ctx: Context, route: NamedRoute, names: RequestNames): readonly UnknownName[] {
  if (!isReported(ctx)) return []
  if (route.page !== undefined || route.ignoresQuery || route.isRefused || route.isFor?.(ctx.actor) === false) return []
  const unknown = [...unknownParameters(ctx, route, names.query), ...unknownInBody(ctx, route, names.body)]
  if (unknown.length > 0 && ctx.site.strict) throw refusal(unknown)
  if (unknown.length > 0 && ctx.templates.isDevelopment) {
    ctx.log.warn({ ignored: ignoredText(unknown) }, `${route.method} ${route.path}: nothing reads some names.`)
  }
  return unknown
}

/** Answers to anonymous callers are cached, and the same for all of them: they name nothing. */
function isReported({ site, templates, actor }: Context): boolean {
  return site.strict || templates.isDevelopment || !isAnonymous(actor)
}

/** Names of every route: the place and the credential of a request. */
const COMMON = new Set(['aposLocale', 'aposMode', 'apikey', 'apiKey'])
/** They have an effect for some callers only; all may know of them. */
const OPEN: ReadonlySet<QueryParameter> = new Set([archived, compareParameter, problemsParameter])
/** Names that other programs append to URLs, whatever they ask for (§0.4). */
const APPENDED =
  /^(?:apos(?:Refresh|Edit)|headless|published|_|_rsc|utm_.*|mc_[ce]id|_ga|_gl|fbclid|gclid|gclsrc|gbraid|wbraid|dclid|gad_.*|msclkid|ttclid|twclid|yclid|igshid|li_fat_id)$/

const NO_BODY: JsonSchema = {}

function unknownParameters(ctx: Context, route: NamedRoute, query: RouteRequest['query']): readonly UnknownName[] {
  if (route.takesAnyQuery) return []
  const declared = route.query ?? []
  const isFor = (one: QueryParameter) => OPEN.has(one) || (one.isFor?.(ctx.actor) ?? true)
  const inBody = bodyNames(route.body ?? NO_BODY)
  const isKnown = (name: string) =>
    COMMON.has(name) ||
    APPENDED.test(name) ||
    // Clients made from other descriptions send the properties of a body as parameters, too.
    inBody?.has(name) ||
    declared.some((one) => one.name === name && isFor(one)) ||
    route.takesParameter?.(ctx, name)
  const known = () => [...declared.filter(isFor).map(({ name }) => name), ...COMMON]
  const unknown = Object.keys(query).flatMap((name) => (isKnown(name) ? [] : [{ path: name, known }]))
  const inValues = declared.flatMap((one) => {
    const value = query[one.name]
    return value === undefined || !isFor(one) ? [] : (one.unknownNames?.(ctx, value) ?? [])
  })
  return [...unknown, ...inValues]
}

function unknownInBody(ctx: Context, route: NamedRoute, body: RouteRequest['body']): readonly UnknownName[] {
  if (route.documents) {
    return unknownProperties(ctx, { types: route.documents(body), body, isPatch: route.method === 'PATCH' })
  }
  const names = bodyNames(route.body ?? NO_BODY)
  if (names === null) return []
  return Object.keys(body).flatMap((path) => (names.has(path) ? [] : [{ path, known: () => names }]))
}

/** The properties that a body is declared to have; null where it may have any. */
const bodyNames = oncePer((body: JsonSchema): ReadonlySet<string> | null => {
  const { properties, additionalProperties = false } = body
  const isOpen = additionalProperties !== false || ['allOf', 'anyOf', 'oneOf'].some((name) => own(body, name))
  return isObject(properties) && !isOpen ? new Set(Object.keys(properties)) : null
})

/** The most names that a header or a message lists. */
const MOST_LISTED = 10
/** Characters of a name. */
const MAX_LENGTH = 60

function refusal(unknown: readonly UnknownName[]): Error {
  const errors = unknown.map((one, index) => {
    const hint = index < MOST_LISTED ? closestTo(one) : null
    const end = hint === null ? '.' : `; did you mean "${hint}"?`
    const message = `Nothing reads "${lastStep(one).slice(0, MAX_LENGTH)}"${end}`
    return { path: one.path.slice(0, 200), name: 'unknown', message }
  })
  const messages = errors
    .slice(0, MOST_LISTED)
    .map(({ path, message }) => (path.includes('.') ? `${path}: ${message}` : message))
  return invalid(messages.join(' '), { errors })
}

/** Names as in a header: `speaker (speakers?), pageSize (perPage?)`. */
export function ignoredText(unknown: readonly UnknownName[]): string {
  const names = unknown.slice(0, MOST_LISTED).map((one) => {
    const hint = closestTo(one)
    return hint === null ? escaped(one.path) : `${escaped(one.path)} (${escaped(hint)}?)`
  })
  return names.join(', ')
}

function closestTo(one: UnknownName): string | null {
  return closest(lastStep(one).slice(0, MAX_LENGTH), one.known())
}

function lastStep({ path }: UnknownName): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

/** A name in characters that a header can have, without those that part names. */
function escaped(name: string): string {
  const text = encodeURIComponent(name.slice(0, MAX_LENGTH).toWellFormed()).replaceAll(/[()]/g, (one) =>
    one === '(' ? '%28' : '%29',
  )
  return text
    .replaceAll('%24', '$')
    .replaceAll('%40', '@')
    .slice(0, MAX_LENGTH)
    .replace(/%[^%]?$/, '')
}
