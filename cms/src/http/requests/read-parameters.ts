import { invalid } from '../../base/errors.ts'
import { type JsonSchema, own } from '../../base/json.ts'
import { refTo } from '../../base/json-schema.ts'
import { isContributor, type LocaleViewer, seenLocales } from '../../engine/permissions.ts'
import type { QueryParameter, QueryValue, QueryValues } from './route.ts'

/** The text of a parameter, undefined when it is not there. A list or an object is `invalid` (§0.4). */
export function textParameter(query: QueryValues, name: string): string | undefined {
  const value = own(query, name)
  if (value === undefined || typeof value === 'string') return value
  throw invalid(`The parameter "${name}" takes one text. Send it once, without brackets.`)
}

/** Reads one or more texts (`name=a` or `name[]=a&name[]=b`), undefined for none. Anything deeper is `invalid`. */
export function listParameter(query: QueryValues, name: string): string[] | undefined {
  const value = own(query, name)
  if (value === undefined) return undefined
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw invalid(`The parameter "${name}" takes one text or a list of texts: ${name}[]=….`)
}

/** A whole number within bounds; the default when the parameter is not there. Anything else is `invalid`. */
export function wholeNumber(
  query: QueryValues,
  name: string,
  bounds: { readonly min: number; readonly max: number; readonly default: number },
): number {
  const text = textParameter(query, name)
  if (text === undefined) return bounds.default
  const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN
  if (number >= bounds.min && number <= bounds.max) return number
  const range =
    bounds.max < Number.MAX_SAFE_INTEGER ? `from ${bounds.min} to ${bounds.max}` : `of at least ${bounds.min}`
  throw invalid(`The parameter "${name}" takes a whole number ${range}.`)
}

/** `archived=true|any` (`1`, `null` likewise): which documents are requested (§3.5). Anything else is `invalid`. */
export function archivedParameter(query: QueryValues): boolean | 'any' {
  const text = textParameter(query, 'archived')
  if (text === undefined || text === '' || text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  if (text === 'any' || text === 'null') return 'any'
  throw invalid('archived is true, false or any.')
}

/** True for `true` and `1`, false for any other text (§0.4). A list or an object is `invalid`. */
export function flag(query: QueryValues, name: string): boolean {
  return isTrueText(textParameter(query, name))
}

/**
 * Whether areas are rendered: `render-areas` is true for `true` and `1`, false for anything else; sent twice, the last
 * one counts, since there are clients that do so (§0.4).
 */
export function rendersAreas(query: QueryValues): boolean {
  const value = own(query, 'render-areas')
  return isTrueText(Array.isArray(value) ? value.at(-1) : value)
}

function isTrueText(value: unknown): boolean {
  return value === 'true' || value === '1'
}

const MAX_PARAMETERS = 100
const MAX_VALUES = 100
/** Parameters that name documents by their ids: they take as many values as the site allows ids. */
const IDS: ReadonlySet<string> = new Set(['_ids', 'ids'])

/**
 * Refuses a query with more parameters or values than any route answers (§0.5), whatever way they came, and before
 * anything is done with them. Nesting is limited where queries are parsed; how long a value may be, where it is used:
 * what a route does not know is ignored, however long it is.
 */
export function checkQuery(query: QueryValues, maxIds: number): void {
  const parameters = Object.entries(query)
  if (parameters.length > MAX_PARAMETERS) throw invalid(`At most ${MAX_PARAMETERS} parameters can be sent.`)
  for (const [name, value] of parameters) {
    const most = IDS.has(name) ? maxIds : MAX_VALUES
    if (countOf(value) > most) throw invalid(`${name.slice(0, 60)} takes at most ${most} values.`)
  }
}

function countOf(value: QueryValue): number {
  if (typeof value === 'string') return 1
  let count = 0
  for (const one of Object.values(value)) count += countOf(one)
  return count
}

/** A page of a list: its number from 1, its length, and where it begins. */
export interface Paging {
  readonly page: number
  readonly perPage: number
  readonly offset: number
}

/** Reads `page` and `perPage`. Anything but whole numbers within bounds is `invalid`. */
export function readPaging(query: QueryValues, perPage: { readonly max: number; readonly default: number }): Paging {
  const length = wholeNumber(query, 'perPage', { min: 1, ...perPage })
  const page = wholeNumber(query, 'page', { min: 1, max: Number.MAX_SAFE_INTEGER, default: 1 })
  return { page, perPage: length, offset: Math.min((page - 1) * length, Number.MAX_SAFE_INTEGER) }
}

// Query parameters shared by several routes, as described in the OpenAPI document.

/** The parameters that `readPaging` reads; `items` are what is listed. */
export function pagingParameters(items: string, perPage: { readonly max: number; readonly default: number }) {
  const { max: maximum, default: byDefault } = perPage
  return [
    { name: 'page', description: 'Which page, from 1.', schema: { type: 'integer', minimum: 1, default: 1 } },
    {
      name: 'perPage',
      description: `How many ${items} on a page.`,
      schema: { type: 'integer', minimum: 1, maximum, default: byDefault },
    },
  ] satisfies readonly QueryParameter[]
}

/** A locale that the caller may know of, as the OpenAPI document describes it. */
export const localeRef = refTo('Locale')

/** Returns the component schemas of the locales that a caller may know of, and of their copies (§4.5). */
export function localeSchemas(viewer: LocaleViewer): Readonly<Record<string, JsonSchema>> {
  const names = seenLocales(viewer)
  const modes = isContributor(viewer.actor) ? ['published', 'draft'] : ['published']
  const copies = names.flatMap((name) => [name, ...modes.map((mode) => `${name}:${mode}`)])
  return {
    Locale: { type: 'string', enum: names, description: 'A locale of the site.' },
    LocaleAndMode: { type: 'string', enum: copies, description: 'A locale of the site, perhaps with a mode.' },
  }
}

/** Locale and mode of the copy (§4.1), for every route. */
export const localeAndMode: readonly QueryParameter[] = [
  {
    name: 'aposLocale',
    description: 'The locale, perhaps with a mode. It outweighs the one in an id.',
    schema: refTo('LocaleAndMode'),
  },
  {
    name: 'aposMode',
    description: 'Published when left out. Drafts need a credential.',
    schema: { type: 'string', enum: ['draft', 'published'] },
    isFor: isContributor,
  },
]

/** Whether archived documents are found (§3.5). */
export const archived: QueryParameter = {
  name: 'archived',
  description: 'Archived documents: only them (`true`), too (`any`), or not (`false`). For callers who may edit.',
  schema: { type: 'string', enum: ['true', '1', 'false', '0', 'any'], default: 'false' },
  isFor: isContributor,
}

/** Lets the answer hold some fields only (§4.1). */
export const project: QueryParameter = {
  name: 'project',
  description:
    'Only some fields: `project[title]=1`, `project[_topics.title]=1`; or all but some: `project[body]=0`. Ids and type are always there; `project[_id]=1` answers them alone.',
  schema: { type: 'object', additionalProperties: { type: 'integer', enum: [0, 1] } },
}

/** Says which relationships are filled in (§4.1). */
export const withRelationships: QueryParameter = {
  name: 'withRelationships',
  description:
    'The relationships that are filled in, with commas, instead of those that the site declares: `_speakers._city,rows._topics`. At most three deep, and 1,000 documents.',
  schema: { type: 'string' },
}

/** Leaves the children of a page out (§4.2). */
export const children: QueryParameter = {
  name: 'children',
  description: '`false` leaves `_children` out.',
  schema: { type: 'string', enum: ['true', 'false'], default: 'true' },
}

/** Whether the children of a page are answered: not with `children=false`, or `0`. */
export function hasChildren(query: QueryValues): boolean {
  return !['false', '0'].includes(textParameter(query, 'children') ?? '')
}

/** Asks for the changes in another locale (§4.5). */
export const compareParameter: QueryParameter = {
  name: 'compare',
  description:
    'A locale: `_compared` says what was changed in it since this document was saved. For callers who may edit.',
  schema: localeRef,
  isFor: isContributor,
}

/** Asks for what keeps a draft from being published (§3.3). */
export const problemsParameter: QueryParameter = {
  name: 'problems',
  description:
    'Of a draft, with `true`: `_problems` says what keeps it from being published. For callers who may edit.',
  schema: { type: 'string', enum: ['true', '1', 'false', '0'], default: 'false' },
  isFor: isContributor,
}

/** Areas as HTML (§2.1). */
export const renderAreasParameter: QueryParameter = {
  name: 'render-areas',
  description: 'With `true`, areas are answered as HTML: `_rendered` in place of `items`.',
  schema: { type: 'string', enum: ['true', '1', 'false', '0'], default: 'false' },
}
