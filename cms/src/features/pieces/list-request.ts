import { invalid, notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { assertShort, readFilters } from '../../engine/lists/filters.ts'
import type { ListRequest } from '../../engine/lists/find.ts'
import { searchQuery } from '../../engine/lists/search.ts'
import { defaultSort, readSort } from '../../engine/lists/sorting.ts'
import { assertMay, may, seesLocale } from '../../engine/permissions.ts'
import { type Projection, readProjection } from '../../engine/presentation/projection.ts'
import { type CopyScope, scopeOf, type TypeView, viewOf } from '../../engine/view.ts'
import { archivedParameter, listParameter, textParameter, wholeNumber } from '../../http/requests/read-parameters.ts'
import type { QueryValues } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { DocumentId, type Mode, type PartialId } from '../../model/terms/document.ts'
import type { SearchQuery, Sort, View } from '../../store/contract/store.ts'

const BUILT_IN = ['page', 'perPage', 'search', 'autocomplete', '_ids', 'sort', 'choices', 'counts', 'project'] as const
const LISTS_OF_NAMES = ['sort', 'choices', 'counts', 'project'] as const
/** Fields that every type has: they do not take a built-in parameter's name. */
const COMMON = new Set(['title', 'slug', 'visibility', 'archived'])

/** The built-in parameters of a list, without those whose name a field of the type has (§0.4). */
export type ListParameters = { readonly [Name in (typeof BUILT_IN)[number]]?: QueryValues[string] }

/** Reads the query of a list (§4.1) for its caller. Throws `notfound` for hidden types, `invalid` for bad values. */
export function readListRequest(
  ctx: Context,
  type: Type,
  query: QueryValues,
): { readonly request: ListRequest; readonly parameters: ListParameters } {
  const ids = type.fields.byName.has('_ids') ? null : readIds(ctx, query)
  const { locale, mode } = copyScopeOf(ctx, ids)
  const access = listAccess(ctx, type, mode)
  const parameters = builtIn(access, query)
  for (const name of LISTS_OF_NAMES) assertShort(name, parameters[name])
  const view: View = {
    ...scopeOf(type, locale, mode),
    archived: readArchived(ctx, type, query),
    visibility: access.visibility,
  }
  const list = { type, access, view }
  const search = readSearch(access, parameters)
  const most = ctx.site.limits.perPage
  const perPage = ids ? Math.max(ids.length, 1) : Math.min(type.perPage, most)
  return {
    parameters,
    request: {
      ...list,
      filters: readFilters(ctx, list, withoutBuiltIn(query, parameters)),
      docIds: ids && idsIn(ids, view, ctx),
      search,
      sort: sortOf(access, parameters.sort, { ids, search }),
      page: wholeNumber(parameters, 'page', { min: 1, max: Number.MAX_SAFE_INTEGER, default: 1 }),
      perPage: wholeNumber(parameters, 'perPage', { min: 1, max: most, default: perPage }),
    },
  }
}

/** `archived=true|any` (`1`, `null` likewise) for callers who may edit; ignored from all others. */
export function readArchived(ctx: Context, type: Type, query: QueryValues): boolean | 'any' {
  return may(ctx.actor, 'editDraft', type) ? archivedParameter(query) : false
}

/** The `project` parameter of a single document; null also where a field that the caller sees has that name. */
export function projectOf(access: TypeView, query: QueryValues): Projection | null {
  return readProjection(builtIn(access, query).project)
}

/** The caller's view of a type in a mode. Throws what the table of roles requires (§5.2). */
function listAccess(ctx: Context, type: Type, mode: Mode): TypeView {
  if (type.localized && mode === 'draft') assertMay(ctx.actor, 'readDraft', type)
  const access = viewOf(ctx.actor, type)
  if (!access) throw notFound()
  return access
}

function readIds(ctx: Context, query: QueryValues): PartialId[] | null {
  const texts = listParameter(query, '_ids')
  if (texts === undefined) return null
  if (texts.length > ctx.site.limits.ids) throw invalid(`_ids takes at most ${ctx.site.limits.ids} ids.`)
  return texts.flatMap((text) => DocumentId.parse(text) ?? [])
}

/** The locale and mode of full ids count unless the query says otherwise (§2.10). */
function copyScopeOf(ctx: Context, ids: readonly PartialId[] | null): CopyScope {
  const full = ids?.find((id) => id.locale !== undefined && seesLocale(ctx, id.locale))
  return {
    locale: ctx.explicit.locale ?? full?.locale ?? ctx.locale,
    mode: ctx.explicit.mode ?? full?.mode ?? ctx.mode,
  }
}

/**
 * Ids keep the order in which they are given, whatever `sort` says; it is still read, to report mistakes.
 */
function sortOf(
  access: TypeView,
  value: unknown,
  { ids, search }: { readonly ids: readonly PartialId[] | null; readonly search: SearchQuery | null },
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

function builtIn(access: TypeView, query: QueryValues): ListParameters {
  const isField = (name: string) => !COMMON.has(name) && access.field(name) !== null
  return Object.fromEntries(
    BUILT_IN.flatMap((name) => (query[name] === undefined || isField(name) ? [] : [[name, query[name]]])),
  )
}

function withoutBuiltIn(query: QueryValues, parameters: ListParameters): QueryValues {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !Object.hasOwn(parameters, name)))
}

function readSearch(access: TypeView, parameters: ListParameters): SearchQuery | null {
  const search = textParameter(parameters, 'search') ?? ''
  const autocomplete = textParameter(parameters, 'autocomplete') ?? ''
  return searchQuery(access, { search, autocomplete })
}
