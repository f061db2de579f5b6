import { invalid, notFound } from '../../base/errors.ts'
import { NEW_ID } from '../../base/ids.ts'
import { parsePartialId } from '../../engine/pages/parked.ts'
import { flag, textParameter } from '../../http/requests/read-parameters.ts'
import type { QueryParameter, QueryValues } from '../../http/requests/route.ts'
import type { Mode, PartialId } from '../../model/terms/document-id.ts'
import type { VersionFilter } from '../../store/contract/store.ts'

/** The id of a version, as the OpenAPI document describes it. */
export const versionIdSchema = { type: 'string', pattern: NEW_ID.source } as const
const ISO_DATE = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** A date of the query in the form in which dates are stored. Throws `invalid` for anything but ISO 8601. */
export function dateParameter(query: QueryValues, name: string): string | undefined {
  const text = textParameter(query, name)
  if (text === undefined) return undefined
  const [, day = ''] = ISO_DATE.exec(text) ?? []
  const time = isDay(day) ? Date.parse(text) : Number.NaN
  const date = Number.isNaN(time) ? '' : new Date(time).toISOString()
  // Dates are compared as texts: those beyond the year 9999 have other ones.
  if (/^\d/.test(date)) return date
  throw invalid(`"${name}" must be an ISO 8601 date, such as 2026-01-31T12:00:00.000Z.`)
}

/** The 31st of February is read as a day of March. */
function isDay(day: string): boolean {
  const time = Date.parse(day)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** The document that `docId` names. Throws `invalid` when it is missing, `notfound` for what cannot be an id. */
export function documentParameter(query: QueryValues): PartialId {
  const text = textParameter(query, 'docId')
  if (text === undefined || text === '') throw invalid('Send docId: the _id of the document.')
  const given = parsePartialId(text)
  if (given === null) throw notFound()
  return given
}

/** An id of a version. Throws `invalid` for what cannot be one. */
export function versionId(text: string | undefined, name = 'The id of a version'): string {
  if (text !== undefined && NEW_ID.test(text)) return text
  throw invalid(`${name} has 26 lower-case letters and digits.`)
}

/** Reads the filter of versions. */
export function filterOf(query: QueryValues): VersionFilter {
  return {
    authorId: textParameter(query, 'authorId'),
    ai: flag(query, 'ai') ? true : undefined,
    since: dateParameter(query, 'since'),
  }
}

/** Reads the filter of the versions of one document. */
export function timelineFilterOf(query: QueryValues): VersionFilter {
  const labelled = flag(query, 'labelled') ? true : undefined
  return { ...filterOf(query), mode: modeOf(query), labelled }
}

function modeOf(query: QueryValues): Mode | undefined {
  const text = textParameter(query, 'mode')
  if (text === undefined || text === 'draft' || text === 'published') return text
  throw invalid('"mode" must be draft or published.')
}

const date = { type: 'string', format: 'date-time' }
const one = { type: 'string', enum: ['0', '1', 'true', 'false'], default: '0' }

const consolidate = (description: string): QueryParameter => ({ name: 'consolidate', description, schema: one })
const consolidateChanges = consolidate('`1`: of the newest version of a run, the changes of all its versions.')

const common: readonly QueryParameter[] = [
  { name: 'before', description: 'Only older versions: give `next` of the page before.', schema: date },
  { name: 'authorId', description: 'Only versions of this user or key.', schema: { type: 'string' } },
  { name: 'ai', description: '`1`: only versions that were saved with AI.', schema: one },
  { name: 'since', description: 'Only versions made at this time or later.', schema: date },
]

/** The query of the versions of one document. */
export const listQuery: readonly QueryParameter[] = [
  {
    name: 'docId',
    description: 'The _id of the document, in either mode, or its aposDocId.',
    schema: { type: 'string', minLength: 1 },
    isRequired: true,
  },
  consolidate(
    '`1`: adjacent drafts by one author, some saved with AI and some without, are one item. Has no effect together with filters.',
  ),
  ...common,
  {
    name: 'mode',
    description: 'Only versions of this copy: `published` for publications.',
    schema: { type: 'string', enum: ['draft', 'published'] },
  },
  { name: 'labelled', description: '`1`: only versions that have a name.', schema: one },
]

/** The query of the versions of all documents. */
export const recentQuery: readonly QueryParameter[] = [
  ...common,
  { name: 'type', description: 'Only versions of documents of this type.', schema: { type: 'string' } },
]

/** The query of one version. */
export const readQuery: readonly QueryParameter[] = [
  {
    name: 'annotate',
    description: '`1`: the document is marked with what this version changed. Only to be shown; it cannot be saved.',
    schema: one,
  },
  consolidateChanges,
]

/** The query of the changes of one version. */
export const changesQuery: readonly QueryParameter[] = [
  consolidateChanges,
  {
    name: 'against',
    description: 'The id of another version of the same document and locale: it is the older side.',
    schema: versionIdSchema,
  },
]

/** The query of the marks of AI. */
export const aiMarksQuery: readonly QueryParameter[] = [
  {
    name: '_ids',
    description: 'The _id of each document, or its aposDocId.',
    schema: { type: 'array', items: { type: 'string' } },
  },
]
