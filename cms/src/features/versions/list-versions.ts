import { invalid } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import { lengthOf } from '../../base/text.ts'
import type { Context } from '../../engine/context.ts'
import { seenLocales } from '../../engine/permissions.ts'
import {
  type EditableDocument,
  editableTypes,
  findEditable,
  findEditableVersion,
} from '../../engine/versions/editable.ts'
import { coveredBy, pageOf, single, timelinePage } from '../../engine/versions/timeline.ts'
import { viewsOf } from '../../engine/view.ts'
import { write } from '../../engine/write.ts'
import { flag, textParameter } from '../../http/requests/read-parameters.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import { DocumentId } from '../../model/terms/document-id.ts'
import type { RecentVersion, VersionFilter } from '../../store/contract/store.ts'
import { isLive, recordsOf, type VersionRecord } from './records.ts'
import { dateParameter, documentParameter, filterOf, timelineFilterOf, versionId } from './version-parameters.ts'

/** The versions of a document, newest first (§4.4). */
export async function listVersions(ctx: Context, { query }: RouteRequest): Promise<object> {
  const given = documentParameter(query)
  const before = dateParameter(query, 'before')
  const filter = timelineFilterOf(query)
  const consolidate = flag(query, 'consolidate')
  const document = await findEditable(ctx, given)
  const { versions } = ctx.store
  const { items, next } = await timelinePage(versions, document.timeline, { ...filter, before, consolidate })
  const total = await countOf(ctx, document, filter)
  const results = await recordsOf(ctx, items)
  const isFirst = before === undefined && Object.values(filter).every((value) => value === undefined)
  const [first] = items
  if (isFirst && first && (await isLive(ctx, document, first.newest))) Object.assign(results[0] ?? {}, { live: true })
  return { results, next, total }
}

/** Counts the versions; cached while the content is unchanged: counting takes longer than listing. */
function countOf({ store, caches }: Context, { timeline }: EditableDocument, filter: VersionFilter): Promise<number> {
  const count = () => store.versions.count(timeline, filter)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return isFiltered ? count() : caches.parts.fill(`versions of ${timeline.docId} ${timeline.locale}`, count)
}

const MAX_LENGTH = 200
/** Control characters, line ends, and marks that change the direction of what follows. */
const UNSHOWN = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u

/** Names a version, or takes its name away (§4.4); the answer is its record. */
export async function labelVersion(ctx: Context, { params, body }: RouteRequest): Promise<object> {
  const id = versionId(params.versionId)
  const { version } = await findEditableVersion(ctx, id)
  const label = labelIn(body)
  await write(ctx, ({ tx }) => tx.versions.label(id, label))
  const covered = await coveredBy(ctx.store.versions, { ...version, label }, { consolidate: false })
  const [record = {}] = await recordsOf(ctx, [covered])
  return record
}

function labelIn(body: RouteRequest['body']): string | null {
  const label = own(body, 'label')
  if (label === null) return null
  if (typeof label !== 'string') throw invalid('Send label: a text, or null to take it away.')
  const text = label.trim()
  if (UNSHOWN.test(text) || !text.isWellFormed())
    throw invalid('A label is one line of text, without control characters.')
  if (lengthOf(text) > MAX_LENGTH) throw invalid(`A label has at most ${MAX_LENGTH} characters.`)
  return text === '' ? null : text
}

/** The newest versions of all documents that the caller may edit (§4.4). */
export async function listRecentChanges(ctx: Context, { query }: RouteRequest): Promise<object> {
  const filter = { ...filterOf(query), types: typesOf(ctx, query), locales: localesOf(ctx) }
  const before = dateParameter(query, 'before')
  const { items, next } = await pageOf((query) => ctx.store.versions.recent({ ...filter, ...query }), before)
  const records = await recordsOf(ctx, items.map(single))
  return { results: records.map((record, index) => ({ ...record, ...documentOf(ctx, items[index]) })), next }
}

function typesOf(ctx: Context, query: RouteRequest['query']): string[] {
  const names = editableTypes(ctx).map(({ name }) => name)
  const asked = textParameter(query, 'type')
  if (asked === undefined) return names
  if (names.includes(asked)) return [asked]
  throw invalid(`"type" must be one of ${names.join(', ')}.`)
}

function localesOf(ctx: Context): string[] {
  return ['', ...seenLocales(ctx)]
}

/** The document that a version is of, with the title that it has now. */
function documentOf(ctx: Context, version: RecentVersion | undefined): VersionRecord {
  if (version === undefined) return {}
  const { docId, locale, mode, type, title } = version
  const isSeen = viewsOf(ctx).of(type)?.field('title')
  return { docId: DocumentId.format({ docId, locale, mode }), type, ...(isSeen && { title }) }
}
