import { invalid, notFound } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { requestedProjection } from '../../engine/answers/wanted.ts'
import type { Context } from '../../engine/context.ts'
import { choiceNames, hasChoices } from '../../engine/lists/choices.ts'
import { namesVisible, readFilters } from '../../engine/lists/filters.ts'
import type { ListRequest, ListSearch } from '../../engine/lists/find.ts'
import { languageOf } from '../../engine/lists/indexed-words.ts'
import { LOCALE_FILTERS, localeFilters } from '../../engine/lists/locale-filters.ts'
import { assertShort } from '../../engine/lists/operators.ts'
import { listSearch } from '../../engine/lists/search.ts'
import { defaultSort, readSort } from '../../engine/lists/sorting.ts'
import { archivedIn, readStates, stateFilters } from '../../engine/lists/states.ts'
import { uploadFilters } from '../../engine/lists/upload-filters.ts'
import { uploadFilter } from '../../engine/lists/upload-names.ts'
import { assertMay, may, seesLocale } from '../../engine/permissions.ts'
import type { Projection } from '../../engine/presentation/projection.ts'
import type { UnknownName } from '../../engine/values/unknown-name.ts'
import { type CopyScope, scopeOf, type TypeView, viewOf } from '../../engine/view.ts'
import { archivedParameter, listParameter, textParameter, wholeNumber } from '../../http/requests/read-parameters.ts'
import type { QueryValue, QueryValues } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { DocumentId, type PartialId } from '../../model/terms/document-id.ts'
import type { Sort, View } from '../../store/contract/store.ts'

const BUILT_IN_NAMES = [
  'page',
  'perPage',
  'search',
  'autocomplete',
  'highlight',
  '_ids',
  'sort',
  'state',
  'updatedBy',
  'missingIn',
  'outdatedIn',
  'choices',
  'counts',
  'project',
  'withRelationships',
] as const
const BUILT_IN: ReadonlySet<string> = new Set(BUILT_IN_NAMES)
const LISTS_OF_NAMES = ['sort', 'choices', 'counts'] as const
/** Fields that every type has: they do not take a built-in parameter's name. */
const COMMON = new Set(['title', 'slug', 'visibility', 'archived'])

/** The built-in parameters of a list, without those whose name a field of the type has (§0.4). */
export type ListParameters = { readonly [Name in (typeof BUILT_IN_NAMES)[number]]?: QueryValues[string] }

/** Reads the query of a list (§4.1) for its caller. Throws `notfound` for hidden types, `invalid` for bad values. */
export function readListRequest(
  ctx: Context,
  type: Type,
  query: QueryValues,
): {
  readonly request: ListRequest
  readonly project: Projection | null
  readonly parameters: ListParameters
  /** The list whose documents are counted by state; null where that is not requested. */
  readonly counted: View | null
} {
  const ids = type.fields.byName.has('_ids') ? null : readIds(ctx, query)
  const seen = viewOf(ctx.actor, type)
  const { parameters, others } = split(seen, query)
  const requested = requestedStates(ctx, { type, seen, parameters }, query)
  const { locale, mode } = copyScopeOf(ctx, ids, requested.isOfDrafts)
  if (type.localized && mode === 'draft') assertMay(ctx.actor, 'readDraft', type)
  if (seen === null) throw notFound()
  for (const name of LISTS_OF_NAMES) assertShort(name, parameters[name])
  const states = readStates(listParameter(parameters, 'state'))
  const isEditor = may(ctx.actor, 'editDraft', type)
  const findsArchived = isEditor && query.archived === undefined
  // The parameter is ignored from callers who may not edit.
  const archived = findsArchived ? archivedIn(states) : isEditor && archivedParameter(query)
  const view: View = { ...scopeOf(type, locale, mode), archived, visibility: seen.visibility }
  const list = { type, access: seen, view }
  const search = readSearch(seen, parameters, languageOf(ctx.site, view.locale))
  const most = ctx.site.limits.perPage
  const perPage = ids ? Math.max(ids.length, 1) : Math.min(type.perPage, most)
  return {
    parameters,
    counted: requested.isCounted ? { ...view, archived: findsArchived ? 'any' : archived } : null,
    project: requestedProjection(ctx, [seen], parameters),
    request: {
      ...list,
      filters: new Map([
        ...readFilters(ctx, list, others),
        ...stateFilters(states, listParameter(parameters, 'updatedBy')),
        ...uploadFilters(ctx, list, query),
        ...localeFilters(ctx, seen, parameters),
      ]),
      docIds: ids && idsIn(ids, view, ctx),
      search,
      sort: sortOf(seen, parameters.sort, { ids, search }),
      page: wholeNumber(parameters, 'page', { min: 1, max: Number.MAX_SAFE_INTEGER, default: 1 }),
      perPage: wholeNumber(parameters, 'perPage', { min: 1, max: most, default: perPage }),
    },
  }
}

/** Names that every list takes, whatever fields its type has. */
const ALWAYS: ReadonlySet<string> = new Set([...BUILT_IN, 'where', 'archived', 'render-areas'])

/** Whether a list takes a parameter of this name (§4.1), as far as the caller may know. */
export function takesListParameter(ctx: Context, type: Type, name: string): boolean {
  const access = viewOf(ctx.actor, type)
  if (uploadFilter(ctx.site, type, name) !== null) return true
  if (access === null) return ALWAYS.has(name) || type.queries.has(name)
  return ALWAYS.has(name) || type.queries.has(name) || access.showsSchedule(name) || namesVisible(access, name)
}

function readIds(ctx: Context, query: QueryValues): PartialId[] | null {
  const texts = listParameter(query, '_ids')
  if (texts === undefined) return null
  if (texts.length > ctx.site.limits.ids) throw invalid(`_ids takes at most ${ctx.site.limits.ids} ids.`)
  return texts.flatMap((text) => DocumentId.parse(text) ?? [])
}

/** The documents of a type, as far as the caller sees it; null: not at all. */
interface SeenList {
  readonly type: Type
  readonly seen: TypeView | null
  readonly parameters: ListParameters
}

/**
 * The requested states (§4.1), for callers who may read drafts: the states of documents, who saved them, and when they
 * are published or archived by themselves (§3.9), are those of their drafts. Throws `unauthorized` or `forbidden` for
 * all others, and `invalid` for the published mode.
 */
function requestedStates(ctx: Context, { type, seen, parameters }: SeenList, query: QueryValues) {
  const isField = seen !== null && isNameOf(seen, 'state')
  const named = [parameters.choices, parameters.counts].flatMap(namesIn)
  const isCounted = !isField && named.includes('state')
  const isByState = isCounted || parameters.state !== undefined
  const isForReaders = (['updatedBy', ...LOCALE_FILTERS] as const).some((name) => parameters[name] !== undefined)
  if (isByState || isForReaders) assertMay(ctx.actor, 'readDraft', type)
  const isOfDrafts = isByState || (seen !== null && isBySchedule(seen, query))
  if (isOfDrafts && type.localized && ctx.explicit.mode === 'published') {
    throw invalid('States and schedules are those of drafts: leave out aposMode, or send aposMode=draft.')
  }
  return { isOfDrafts, isCounted }
}

/** Whether a list is filtered or sorted by a time of schedules that the caller sees. */
function isBySchedule(access: TypeView, query: QueryValues): boolean {
  return [...Object.keys(query), ...sortedBy(query.sort)].some((name) => access.showsSchedule(name))
}

function sortedBy(sort: unknown): string[] {
  if (typeof sort === 'string') return [sort.replace(/^-/, '')]
  return isObject(sort) ? Object.keys(sort) : []
}

/** The names in a parameter that takes several with commas. */
export function namesIn(value: QueryValues[string] | undefined): string[] {
  return typeof value === 'string' ? value.split(',').filter(Boolean) : []
}

/** Lists the names in `choices` or `counts` that have no choices for the caller (§0.4). */
export function unknownFacets(
  { site, actor }: Context,
  type: Type,
  { name, value }: { readonly name: 'choices' | 'counts'; readonly value: QueryValues[string] },
): readonly UnknownName[] {
  const access = viewOf(actor, type)
  if (access === null || isNameOf(access, name)) return []
  const list = { site, type, access }
  const isForReaders = !isNameOf(access, 'state') && may(actor, 'readDraft', type)
  const known = () => [...choiceNames(list), ...(isForReaders ? ['state'] : [])]
  // States are refused to those who may not count them.
  const isKnown = (one: string) => one === 'state' || hasChoices(list, one)
  return namesIn(value).flatMap((one) => (isKnown(one) ? [] : [{ path: `${name}.${one}`, known }]))
}

/**
 * The locale and mode of full ids count unless the query says otherwise (§2.10). States and schedules are those of drafts.
 */
function copyScopeOf(ctx: Context, ids: readonly PartialId[] | null, isOfDrafts: boolean): CopyScope {
  const full = ids?.find((id) => id.locale !== undefined && seesLocale(ctx, id.locale))
  return {
    locale: ctx.explicit.locale ?? full?.locale ?? ctx.locale,
    mode: ctx.explicit.mode ?? (isOfDrafts ? 'draft' : (full?.mode ?? ctx.mode)),
  }
}

/**
 * Ids keep the order in which they are given, whatever `sort` says; it is still read, to report mistakes.
 */
function sortOf(
  access: TypeView,
  value: unknown,
  { ids, search }: { readonly ids: readonly PartialId[] | null; readonly search: ListSearch | null },
): readonly Sort[] {
  const sort = readSort(access, value)
  if (ids !== null) return []
  return sort ?? (search === null ? defaultSort(access) : [])
}

function idsIn(ids: readonly PartialId[], view: View, ctx: Context): string[] {
  const isHere = (id: PartialId) =>
    (id.locale === undefined || ctx.explicit.locale !== null || id.locale === view.locale) &&
    (id.mode === undefined || ctx.explicit.mode !== null || id.mode === view.mode)
  return [...new Set(ids.filter((id) => view.locale === '' || isHere(id)).map((id) => id.docId))]
}

/** The built-in parameters of a query, and all others, which may name fields. */
function split(seen: TypeView | null, query: QueryValues): { parameters: ListParameters; others: QueryValues } {
  const parameters: { -readonly [Name in keyof ListParameters]: QueryValue } = {}
  const others: Record<string, QueryValue> = {}
  for (const [name, value] of Object.entries(query)) {
    if (seen !== null && isBuiltIn(name) && !isNameOf(seen, name)) parameters[name] = value
    else others[name] = value
  }
  return { parameters, others }
}

function isBuiltIn(name: string): name is keyof ListParameters {
  return BUILT_IN.has(name)
}

/** Whether a field that the caller sees has the name of a built-in parameter. */
function isNameOf(access: TypeView, name: string): boolean {
  return !COMMON.has(name) && access.field(name) !== null
}

function readSearch(access: TypeView, parameters: ListParameters, language: string): ListSearch | null {
  const search = textParameter(parameters, 'search') ?? ''
  const autocomplete = textParameter(parameters, 'autocomplete') ?? ''
  return listSearch(access, { search, autocomplete }, language)
}
