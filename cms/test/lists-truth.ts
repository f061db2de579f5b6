import type { JsonObject } from '../src/base/json.ts'
import { stemOf } from '../src/base/stems.ts'
import { rowsOf } from './consistency.ts'
import { type KnownType, type Role, type Sees, TYPES, WEIGHTS } from './lists-site.ts'

/** A stored copy, read past the service. */
export interface Stored {
  readonly row: number
  readonly docId: string
  readonly locale: string
  readonly mode: string
  readonly type: string
  readonly isPublic: boolean
  readonly isArchived: boolean
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastPublishedAt: string | null
  readonly state: string
  readonly updatedById: string
  /** Of its schedule, in milliseconds. */
  readonly publishAt: number | null
  readonly archiveAt: number | null
  /** Of an image. */
  readonly file: StoredFile | null
  readonly fields: JsonObject
}

interface StoredFile {
  readonly extension: string
  readonly width: number
  readonly height: number
}

/** All copies of a database. */
export async function storedIn(databaseUrl: string): Promise<readonly Stored[]> {
  const [rows = [], files = []] = await rowsOf(databaseUrl, [
    `select d.*, c.body, s.publish_at, s.archive_at from documents d join contents c on c.n = d.content
      left join schedules s on s.doc_id = d.doc_id and s.locale = d.locale`,
    'select id, extension, width, height from attachments',
  ])
  const numberOf = (cell: unknown) => (cell === null ? null : Number(cell))
  return rows.map((row) => ({
    row: Number(row.n),
    docId: String(row.doc_id),
    locale: String(row.locale),
    mode: String(row.mode),
    type: String(row.type),
    isPublic: row.visibility === 'public',
    isArchived: Number(row.archived) === 1,
    createdAt: String(row.created_at),
    updatedAt: String(row.updated_at),
    lastPublishedAt: row.last_published_at === null ? null : String(row.last_published_at),
    state: stateOf(row),
    updatedById: String(row.updated_by_id),
    publishAt: numberOf(row.publish_at),
    archiveAt: numberOf(row.archive_at),
    file: fileOf(row, files),
    fields: { ...JSON.parse(String(row.body)), slug: row.slug, visibility: row.visibility },
  }))
}

type Row = Readonly<Record<string, unknown>>

function fileOf({ body }: Row, files: readonly Row[]): StoredFile | null {
  const id: unknown = JSON.parse(String(body)).attachment?._id
  const file = files.find((one) => one.id === id)
  if (file === undefined) return null
  return { extension: String(file.extension), width: Number(file.width), height: Number(file.height) }
}

function stateOf(row: Row): string {
  if (Number(row.archived) === 1) return 'archived'
  if (row.locale === '') return 'published'
  if (row.last_published_at === null) return 'draft'
  return Number(row.modified) === 1 ? 'modified' : 'published'
}

const ROLES = ['guest', 'contributor', 'editor', 'admin'] as const

/** Whether a role is one of those above another, or that one; null: no role. */
export function isAtLeast(role: Role | null, least: Role): boolean {
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf(least)
}

/** How a caller sees documents. */
export interface Seen {
  readonly role: Role | null
  readonly type: KnownType
  readonly isFull: boolean
  readonly onlyPublic: boolean
}

/** How a caller sees a type; null where there is none for that caller. Visitors of pages see what is public whole. */
export function seenBy(role: Role | null, type: KnownType, isVisit = false): Seen | null {
  if (type.viewRole !== null && !isAtLeast(role, type.viewRole)) return null
  if (isAtLeast(role, 'contributor')) return { role, type, isFull: true, onlyPublic: false }
  if (isVisit) return { role, type, isFull: true, onlyPublic: role === null }
  if (role === 'guest' && type.isForGuests) return { role, type, isFull: true, onlyPublic: false }
  return type.isPublic ? { role, type, isFull: false, onlyPublic: role === null } : null
}

/**
 * The same of documents that a relationship leads to; of types that are hidden, title and slug of those that are not.
 */
export function relatedSeenBy(role: Role | null, type: KnownType, isVisit: boolean): Seen | null {
  const seen = seenBy(role, type, isVisit)
  if (seen !== null || (type.viewRole !== null && !isAtLeast(role, type.viewRole))) return seen
  return { role, type, isFull: true, onlyPublic: role === null }
}

/** Whether a caller sees when drafts of a type are published and archived by themselves. */
export function seesSchedules({ role, type, isFull }: Seen): boolean {
  return type.isScheduled && isFull && isAtLeast(role, 'contributor')
}

/** Whether a caller sees what only some see. */
export function sees({ role, isFull }: Seen, who: Sees): boolean {
  if (who === 'public') return true
  return who === 'full' ? isFull : isFull && isAtLeast(role, who)
}

/** A text by which search finds a document. */
interface Text {
  readonly sees: Sees
  readonly text: string
  readonly weight: Weight
}
export type Weight = 'high' | 'normal' | 'low' | 'none'

/** How much the words of a field weigh, or the titles of a relationship. */
export function weightOf(type: string, name: string): Weight {
  return WEIGHTS[type]?.[name] ?? (name === 'title' ? 'high' : 'normal')
}

/** The texts of a document by which search finds it. */
export function textsOf({ type, fields }: Stored): Text[] {
  const known = Object.entries(TYPES[type]?.fields ?? {})
  const texts = known.flatMap(([name, field]) =>
    field.kind === 'text' ? [{ sees: field.sees, text: textOf(fields[name]), weight: weightOf(type, name) }] : [],
  )
  if (type !== 'product') return texts
  const { details, links, body } = fields as Record<string, JsonObject | null>
  const inside = (who: Sees, text: unknown, weight: Weight = 'normal'): Text => ({
    sees: who,
    text: textOf(text),
    weight,
  })
  const items = (list: unknown) => (Array.isArray(list) ? (list as JsonObject[]) : [])
  return [
    ...texts,
    inside('public', details?.shown),
    inside('editor', details?.inner),
    ...items(links).flatMap(({ label, code }) => [inside('full', label, 'none'), inside('admin', code, 'none')]),
    ...items(body?.items).map(({ content }) => inside('public', readableText(textOf(content)))),
  ]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

function readableText(content: string): string {
  const apart = content.replaceAll(/<\/?(?:p|br|h2|ul|li|blockquote)\b[^>]*>/g, ' ').replaceAll(/<[^>]*>/g, '')
  return apart.replaceAll(/&(\w+);/g, (entity, name) => ENTITIES[name] ?? entity)
}

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ς: 'σ', ı: 'i' }
const MOST_LETTERS = 64

/** Case and accents folded. */
export function plainLetters(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/([\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}])\p{M}+/gu, '$1')
    .replaceAll(/[ßłςı]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC')
}

/** The words of a text, case and accents folded; those of scripts without spaces as a dictionary tells. */
export function wordsIn(text: string): string[] {
  const runs = plainLetters(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((run) => /[\p{L}\p{N}]/u.test(run))
  return runs.flatMap((run) => {
    if (!/[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u.test(run)) return [[...run].slice(0, MOST_LETTERS).join('')]
    const segments = [...new Intl.Segmenter('und', { granularity: 'word' }).segment(run)]
    return segments.flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []))
  })
}

/** Whether a word is another one, or has its stem. */
export function hasStem(asked: string, word: string, language: string): boolean {
  const stem = stemOf(asked, language)
  return word === asked || word === stem || stemOf(word, language) === stem
}

/** Whether a word, or its stem, is another one with a typing mistake. */
export function isMistyped(asked: string, word: string, language: string): boolean {
  if ([...asked].length < 5 || /[^\p{L}\p{M}]/u.test(asked)) return false
  const forms = [word, stemOf(word, language)].filter((form) => !/[^\p{L}\p{M}]/u.test(form) && [...form].length <= 32)
  return forms.some((form) => mistypings(asked).test(form))
}

/** Matches all that differ from a word by one letter, or by two that are swapped. */
function mistypings(word: string): RegExp {
  const letters = [...word]
  const before = (at: number) => letters.slice(0, at).join('')
  const after = (at: number) => letters.slice(at).join('')
  const all = letters.flatMap((letter, at) => [
    `${before(at)}${after(at + 1)}`,
    `${before(at)}.${after(at + 1)}`,
    `${before(at)}.${after(at)}`,
    `${before(at)}${letters[at + 1] ?? ''}${letter}${after(at + 2)}`,
  ])
  return new RegExp(`^(?:${[...all, `${word}.`].join('|')})$`, 'u')
}

/** As filters compare texts. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
}

/** The seconds from midnight to a time of the day. */
export function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}
