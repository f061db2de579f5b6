import { didYouMean } from '../../base/did-you-mean.ts'
import { type CmsError, invalid } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { type ListSearch, matching } from '../../engine/lists/find.ts'
import { withFreshSearch } from '../../engine/lists/fresh-search.ts'
import { languageOf } from '../../engine/lists/indexed-words.ts'
import { localeFiltersOfMany } from '../../engine/lists/locale-filters.ts'
import { assertShort, compare } from '../../engine/lists/operators.ts'
import { listSearch } from '../../engine/lists/search.ts'
import { archivedIn, readStates, stateFilters } from '../../engine/lists/states.ts'
import { may, refusal, seesLocale } from '../../engine/permissions.ts'
import { scopeOf, type TypeView, viewOf } from '../../engine/view.ts'
import { archivedParameter, listParameter, readPaging, textParameter } from '../../http/requests/read-parameters.ts'
import type { QueryValues } from '../../http/requests/route.ts'
import { DocumentId, type PublishingState } from '../../model/terms/document-id.ts'
import { SCHEDULE_TIMES, type ScheduleTime } from '../../model/terms/document-times.ts'
import type { AcrossQuery, Condition, Filter, View } from '../../store/contract/store.ts'
import { COUNTED, type DocumentsRequest } from './list-documents.ts'

export const DOCUMENTS_PER_PAGE = 50
const COLUMNS = ['updatedAt', 'title', 'lastPublishedAt'] as const
const SORTED = [...COLUMNS, ...SCHEDULE_TIMES]
/** How far lists of several types go, which are merged from their first documents. */
const MOST_MERGED = 10_000
/** The orders that there are. */
export const SORTS = SORTED.flatMap((name) => [name, `-${name}`])

/**
 * Reads the query of a list of all types (§4.1): types whose drafts the caller may read. The list is of drafts, unless
 * `aposMode` says otherwise. Throws `unauthorized` or `forbidden` where there is no such type, and `invalid`.
 */
export async function readDocumentsRequest(ctx: Context, query: QueryValues): Promise<DocumentsRequest> {
  const seen = readableViews(ctx)
  const ids = readIds(ctx, query)
  const states = readStates(listParameter(query, 'state'))
  const counts = readCounts(query)
  const { sort } = readOrder(query)
  const isByTime = sort.by === 'schedule' || SCHEDULE_TIMES.some((name) => query[name] !== undefined)
  assertOfDrafts(ctx, states !== null || counts.includes('state') || isByFailure(query) || isByTime)
  const most = ctx.site.limits.perPage
  const { page, perPage, offset } = readPaging(query, { max: most, default: Math.min(DOCUMENTS_PER_PAGE, most) })
  const listed = { ctx, query, ids: ids && (await byType(ctx, ids)) }
  const typed = ofTypes(seen, listParameter(query, 'types'))
  const limit = ids === null ? perPage : Math.max(ids.length, 1)
  const filters = await filtersFor(listed, typed, states)
  if (page * limit > MOST_MERGED && isMerged(filters)) throw tooFar()
  return {
    sort,
    filters,
    ofAllStates: counts.includes('state') ? await filtersFor({ ...listed, isOfAllStates: true }, typed, null) : [],
    ofAllTypes: counts.includes('type') ? await filtersFor(listed, seen, states) : [],
    states,
    counts,
    ids,
    page,
    offset: ids === null ? offset : 0,
    limit,
  }
}

/** Whether lists are merged page by page: not where there are search words or ids, whose documents are found whole. */
function isMerged(filters: readonly Filter[]): boolean {
  return filters.length > 1 && filters.every(({ search, docIds }) => search === undefined && docIds === undefined)
}

function tooFar(): CmsError {
  return invalid(
    `page: a list of several types goes as far as its first ${MOST_MERGED} documents. Name one type (types), or search.`,
  )
}

/** The caller's views of the types whose drafts they may read. */
function readableViews(ctx: Context): TypeView[] {
  const views = [...ctx.site.types.values()].flatMap((type) => {
    return may(ctx.actor, 'readDraft', type) ? (viewOf(ctx.actor, type) ?? []) : []
  })
  if (views.length === 0) throw refusal(ctx.actor)
  return views
}

/** Hidden and unknown types look alike. */
function ofTypes(seen: readonly TypeView[], names: readonly string[] | undefined): readonly TypeView[] {
  const known = seen.map(({ type }) => type.name)
  const unknown = names?.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw invalid(`types names types of the site: ${unknown.slice(0, 60)} is none${didYouMean(unknown, known) || '.'}`)
  }
  return names === undefined ? seen : seen.filter(({ type }) => names.includes(type.name))
}

function assertOfDrafts(ctx: Context, isByState: boolean): void {
  if (!isByState || ctx.explicit.mode !== 'published') return
  throw invalid('States and schedules are those of drafts: leave out aposMode, or send aposMode=draft.')
}

function readIds(ctx: Context, query: QueryValues): DocumentId[] | null {
  const texts = listParameter(query, '_ids')
  if (texts === undefined) return null
  if (texts.length > ctx.site.limits.ids) throw invalid(`_ids takes at most ${ctx.site.limits.ids} ids.`)
  return texts.flatMap((text) => {
    const given = DocumentId.parse(text)
    const locale = ctx.explicit.locale ?? given?.locale ?? ctx.locale
    if (given === null || !seesLocale(ctx, locale)) return []
    return [{ docId: given.docId, locale, mode: ctx.explicit.mode ?? given.mode ?? 'draft' }]
  })
}

/** The named copies by their types; those that do not exist are left out. */
async function byType(ctx: Context, ids: readonly DocumentId[]): Promise<Map<string | undefined, DocumentId[]>> {
  const types = await ctx.store.documents.types([...new Set(ids.map(({ docId }) => docId))])
  return Map.groupBy(ids, ({ docId }) => types.get(docId))
}

function readCounts(query: QueryValues): (typeof COUNTED)[number][] {
  const names = (textParameter(query, 'counts') ?? '').split(',').filter((name) => name !== '')
  return names.map((name) => {
    const counted = COUNTED.find((one) => one === name)
    if (counted !== undefined) return counted
    throw invalid(`counts takes ${COUNTED.join(' and ')}, with commas.`)
  })
}

function readOrder(query: QueryValues): Pick<AcrossQuery, 'sort'> {
  const text = textParameter(query, 'sort') || '-updatedAt'
  const name = text.replace(/^-/, '')
  const direction = text.startsWith('-') ? -1 : 1
  const time = SCHEDULE_TIMES.find((one) => one === name)
  if (time !== undefined) return { sort: { by: 'schedule', time, direction } }
  const column = COLUMNS.find((one) => one === name)
  if (column === undefined) throw invalid(`sort is one of ${SORTS.join(', ')}.`)
  return { sort: { by: 'column', column, direction } }
}

interface Listed {
  /** Archived documents as well, unless the request says otherwise. */
  readonly isOfAllStates?: boolean
  readonly ctx: Context
  readonly query: QueryValues
  readonly ids: ReadonlyMap<string | undefined, readonly DocumentId[]> | null
}

async function filtersFor(
  listed: Listed,
  views: readonly TypeView[],
  states: readonly PublishingState[] | null,
): Promise<Filter[]> {
  const filters: Filter[] = []
  for (const access of views) filters.push(...(await filtersOf(listed, access, states)))
  return filters
}

/** The filters that find the documents of one type: one, or one for each locale and mode of named copies. */
async function filtersOf(
  { ctx, query, ids, isOfAllStates = false }: Listed,
  access: TypeView,
  states: readonly PublishingState[] | null,
): Promise<Filter[]> {
  const { type } = access
  const asked =
    query.archived === undefined ? (ids || isOfAllStates ? 'any' : archivedIn(states)) : archivedParameter(query)
  const archived = may(ctx.actor, 'editDraft', type) ? asked : false
  const found = (locale: string, mode: View['mode'], docIds?: readonly string[]) => {
    const view: View = { ...scopeOf(type, locale, mode), archived, visibility: access.visibility }
    return filterOf(ctx, { access, view, query, states, docIds })
  }
  if (ids === null) return [await found(ctx.locale, ctx.explicit.mode ?? 'draft')]
  const scopes = Map.groupBy(ids.get(type.name) ?? [], ({ locale, mode }) =>
    type.localized ? `${locale}:${mode}` : '',
  )
  const filters: Filter[] = []
  for (const [first, ...others] of scopes.values()) {
    if (first === undefined) continue
    filters.push(
      await found(
        first.locale,
        first.mode,
        [first, ...others].map(({ docId }) => docId),
      ),
    )
  }
  return filters
}

interface Filtering {
  readonly access: TypeView
  readonly view: View
  readonly query: QueryValues
  readonly states: readonly PublishingState[] | null
  readonly docIds: readonly string[] | undefined
}

async function filterOf(ctx: Context, { access, view, query, states, docIds }: Filtering): Promise<Filter> {
  const filters = new Map<string, Condition>([
    ...stateFilters(states, listParameter(query, 'updatedBy')),
    ...localeFiltersOfMany(ctx, access, query),
  ])
  assertShort('updatedAt', query.updatedAt)
  if (query.updatedAt !== undefined) {
    filters.set('updatedAt', compare({ kind: 'date', column: 'updatedAt' }, query.updatedAt, 'updatedAt'))
  }
  for (const time of SCHEDULE_TIMES) {
    if (query[time] !== undefined) filters.set(time, scheduled(access, view, { time, value: query[time] }))
  }
  const named = isByFailure(query) ? await failedOf(ctx, access, view, docIds) : (docIds ?? null)
  const list = { type: access.type, access, view, filters, docIds: named, sort: [], page: 1, perPage: 1 }
  return matching(await withFreshSearch(ctx, { ...list, search: searchOf(ctx, access, view, query) }))
}

/** The condition on a time of schedules: nothing is found where drafts show none. */
function scheduled(
  access: TypeView,
  { mode }: View,
  { time, value }: { time: ScheduleTime; value: unknown },
): Condition {
  const condition = compare({ kind: 'schedule', time }, value, time)
  return access.showsSchedule(time) && mode === 'draft' ? condition : { kind: 'never' }
}

/** Whether the list is of documents whose schedule has failed. Throws `invalid`. */
function isByFailure(query: QueryValues): boolean {
  const text = textParameter(query, 'scheduleError') ?? ''
  if (!['', 'true', '1'].includes(text)) throw invalid('scheduleError takes true: documents whose schedule has failed.')
  return text !== ''
}

/** The documents whose drafts show the caller a `scheduleError` (§3.9); of `docIds`, where those are given. */
async function failedOf(
  ctx: Context,
  { type, kind }: TypeView,
  { locale, mode }: Pick<View, 'locale' | 'mode'>,
  docIds: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (!type.scheduling || kind !== 'full' || mode !== 'draft') return []
  const failed = await ctx.store.schedules.failed({ types: [type.name], locales: [locale] })
  return docIds === undefined ? failed : docIds.filter((docId) => failed.includes(docId))
}

function searchOf(ctx: Context, access: TypeView, view: View, query: QueryValues): ListSearch | null {
  const search = textParameter(query, 'search') ?? ''
  const autocomplete = textParameter(query, 'autocomplete') ?? ''
  return listSearch(access, { search, autocomplete }, languageOf(ctx.site, view.locale))
}
