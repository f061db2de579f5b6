import { z } from 'zod'
import { didYouMean } from '../../base/did-you-mean.ts'
import { FEED_FORMATS, type FeedOptions } from '../declared/discovery.ts'
import type { IndexOptions, Type } from '../declared/types.ts'
import type { Field, Fields } from '../field-type/field-type.ts'
import type { Report } from '../terms/configuration-error.ts'
import { isDateName } from '../terms/document-times.ts'
import { COMMON_FIELDS, labelOf } from '../terms/property-labels.ts'
import { orNull } from './read-options.ts'

const FEED = z.strictObject({
  formats: z
    .array(z.enum(FEED_FORMATS))
    .min(1)
    .default([...FEED_FORMATS]),
  items: z.int().min(1).max(100).default(20),
  date: z.string().default('createdAt'),
  summary: orNull(z.string()),
  image: orNull(z.string()),
  author: orNull(z.string()),
})

/** The options that make a page type an index page (§4.2b). */
export const INDEX_OPTIONS = {
  piecesType: z.string().optional(),
  piecesFilters: z
    .array(
      z.union([
        z.string(),
        z.strictObject({ name: z.string(), label: z.string().min(1).optional(), counts: z.boolean().default(false) }),
      ]),
    )
    .optional(),
  staticCombinations: z.union([z.literal(1), z.literal(2)]).optional(),
  /** Its feeds (§4.6). */
  feed: z.union([z.boolean(), FEED]).optional(),
}

/** The options after parsing. */
type Declared = z.infer<z.ZodObject<typeof INDEX_OPTIONS>> & { readonly perPage?: number | undefined }

/** Reads the options of an index page; null for types that are none. */
export function compileIndex(
  { piecesType, piecesFilters = [], perPage, staticCombinations, feed }: Declared,
  isPage: boolean,
  fullName: (name: string) => string,
  report: Report,
): IndexOptions | null {
  if (piecesType === undefined) {
    if (feed) report('feed', 'only index pages have feeds: name their piecesType')
    if (piecesFilters.length > 0) report('piecesFilters', 'only index pages have filters: name their piecesType')
    if (staticCombinations) report('staticCombinations', 'only index pages have filters: name their piecesType')
    return null
  }
  if (!isPage) report('piecesType', 'only page types can be index pages of pieces')
  const filters = piecesFilters.map((one) => {
    const { name, label, counts } = typeof one === 'string' ? { name: one, label: undefined, counts: false } : one
    return { name, label: label ?? labelOf(name), counts }
  })
  return {
    piecesType: fullName(piecesType),
    filters,
    filtersInPath: staticCombinations ?? 1,
    perPage: perPage ?? null,
    feed: feed === true ? FEED.parse({}) : feed || null,
  }
}

/** Checks what an index page declares about its pieces, when all types are compiled. */
export function checkIndex({ index, name }: Type, types: ReadonlyMap<string, Type>, report: Report): void {
  if (index === null) return
  const pieces = types.get(index.piecesType)
  if (pieces === undefined) {
    const known = [...types.values()].filter(({ family }) => family === 'piece').map((type) => type.name)
    report('piecesType', `"${index.piecesType}" is not a type of this site${didYouMean(index.piecesType, known)}`)
    return
  }
  if (pieces.family === 'page') report('piecesType', `"${pieces.name}" is a page type; an index page shows pieces`)
  if (pieces.singleton) report('piecesType', `"${pieces.name}" has one document, so it has no index page`)
  if (name.endsWith('/archive-page')) report('piecesType', 'the archive is not shown to visitors')
  if (index.feed !== null) checkFeed(index.feed, pieces.fields, report)
  const names = index.filters.map((filter) => filter.name)
  if (index.filtersInPath === 2 && names.length < 2)
    report('staticCombinations', 'combines filters: name at least two in piecesFilters')
  for (const [at, filter] of names.entries()) {
    const mistake = filterMistake(pieces, filter) ?? (names.indexOf(filter) < at ? 'is named twice' : null)
    if (mistake !== null) report('piecesFilters', `"${filter}" ${mistake}`)
  }
}

function filterMistake(pieces: Type, name: string): string | null {
  if (name === 'page') return 'is the number of a page in URLs; give the field another name'
  const field = pieces.fields.byName.get(name) ?? relationshipOf(pieces, name)
  if (field === undefined) {
    const known = pieces.fields.list.filter(isFilterable).map((one) => one.name)
    return `is not a field of ${pieces.name}${didYouMean(name, known)}`
  }
  return isFilterable(field) ? null : `of ${pieces.name} is not a field that lists can be filtered by`
}

/** `topics` filters by the slugs that `_topics` points to. */
function relationshipOf({ fields }: Type, name: string): Field | undefined {
  const field = fields.byName.get(`_${name}`)
  return field?.type.relation === 'forward' ? field : undefined
}

function isFilterable({ name, type }: Field): boolean {
  if (COMMON_FIELDS.some((common) => common === name)) return false
  return type.relation === 'forward' || type.index !== undefined
}

/** Checks what feeds say about pieces against their fields. */
function checkFeed(feed: FeedOptions, fields: Fields, report: Report): void {
  const check = (option: 'date' | 'summary' | 'image' | 'author', what: string, suits: (field: Field) => boolean) => {
    const name = feed[option]
    if (name === null || (option === 'date' && isDateName(name))) return
    const field = fields.byName.get(name)
    if (field !== undefined && suits(field)) return
    const known = fields.list.filter(suits).map((one) => one.name)
    report(`feed.${option}`, `"${name}" is not ${what} of the pieces${didYouMean(name, known)}`)
  }
  const isRelationship = ({ type }: Field) => type.relation === 'forward'
  const isPlain = ({ type }: Field) => type.translated === 'text'
  const hasText = ({ type }: Field) => type.translated !== undefined || type.children !== undefined
  check('date', 'a date', ({ type }) => type.isDate === true)
  check('summary', 'a text', hasText)
  check('image', 'a relationship', isRelationship)
  check('author', 'a text or a relationship', (field) => isPlain(field) || isRelationship(field))
}
