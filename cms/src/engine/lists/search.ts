import { invalid } from '../../base/errors.ts'
import { cutText, lengthOf, searchWords } from '../../base/text.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import type { Document } from '../../model/terms/document.ts'
import type { Role } from '../../model/terms/roles.ts'
import { searchTexts } from '../../model/values/index-rows.ts'
import { boosted, type SearchQuery } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { isProjected, type ReadAccess, roleOf } from '../permissions.ts'

/** The most characters of a document that are indexed: very long ones are found by their beginning. */
const INDEXED_LENGTH = 250_000
/** The most bytes of their words: PostgreSQL takes 1,048,575 of a document. */
const INDEXED_BYTES = 1_000_000
/** In UTF-8, of one code unit of a text. */
const MOST_BYTES_OF_UNIT = 3

/** How much one search may ask for (§0.5). */
const MAX_LENGTH = 500
const MAX_WORDS = 32

/**
 * Who may find a document by a word: everybody; callers who see the whole document; or a role and those above it. Each
 * audience has its own form of index words, so that a search never matches what its caller cannot read.
 */
type Audience = 'public' | 'full' | Role
const MARKERS: { readonly [audience in Audience]: string } = {
  public: '',
  full: '~0',
  guest: '~0',
  contributor: '~1',
  editor: '~2',
  admin: '~3',
}

/**
 * All words that a document is found by, each once in its audience's form; those of a title also as boosted words. The
 * widest audience comes first: what is too long for the index is left out from the end, so that what some do not see
 * makes no difference to what they find.
 */
export function indexedWords(type: Type, document: Document): string {
  const texts = [...searchTexts(type.fields, document.fields)].map(({ field, viewRole, text }) => {
    return { marker: MARKERS[audienceOf(type, field, viewRole)], isTitle: field.name === 'title', text }
  })
  const words = new Set<string>()
  let left = INDEXED_LENGTH
  for (const { marker, isTitle, text } of texts.toSorted((one, other) => (one.marker < other.marker ? -1 : 1))) {
    const indexed = cutText(text, left)
    left -= indexed.length
    for (const word of searchWords(indexed)) {
      words.add(marker + word)
      if (isTitle) words.add(boosted(marker + word))
    }
  }
  return withinBytes([...words].join(' '))
}

/** Words as long as the index of every database takes them. */
function withinBytes(words: string): string {
  if (words.length * MOST_BYTES_OF_UNIT <= INDEXED_BYTES) return words
  const bytes = Buffer.from(words)
  if (bytes.length <= INDEXED_BYTES) return words
  return bytes.toString('utf8', 0, bytes.lastIndexOf(' ', INDEXED_BYTES))
}

/** A word that no document has: for searches without any word, as of punctuation alone. */
const NOTHING: SearchQuery = { words: [[]], isPrefix: false }

/**
 * The words of a search, in the forms that this caller may find; null when the texts are blank. Throws `invalid` for
 * texts that are too long.
 */
export function searchQuery(
  ctx: Context,
  type: Type,
  access: ReadAccess,
  texts: { readonly search: string; readonly autocomplete: string },
): SearchQuery | null {
  const whole = wordsOf('search', texts.search)
  const beginning = wordsOf('autocomplete', texts.autocomplete)
  const words = [...whole, ...beginning]
  if (words.length === 0) return isBlank(texts.search) && isBlank(texts.autocomplete) ? null : NOTHING
  const markers = markersFor(ctx, type, access)
  return {
    words: words.map((word) => markers.map((marker) => marker + word)),
    isPrefix: beginning.length > 0,
  }
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

function wordsOf(name: string, text: string): string[] {
  if (lengthOf(text) > MAX_LENGTH) throw invalid(`${name} takes at most ${MAX_LENGTH} characters.`)
  const words = searchWords(text)
  if (words.length > MAX_WORDS) throw invalid(`${name} takes at most ${MAX_WORDS} words.`)
  return words
}

function audienceOf(type: Type, field: Field, viewRole: Role | null): Audience {
  if (viewRole !== null) return viewRole
  return isProjected(type, field) ? 'public' : 'full'
}

function markersFor(ctx: Context, type: Type, access: ReadAccess): string[] {
  const all: Audience[] = type.publicProjection === null ? [] : ['public']
  if (access.fields === 'full') all.push('full', ...rolesUpTo(roleOf(ctx.actor)))
  return [...new Set(all.map((audience) => MARKERS[audience]))]
}

function rolesUpTo(role: Role | null): Role[] {
  if (role === 'admin') return ['contributor', 'editor', 'admin']
  if (role === 'editor') return ['contributor', 'editor']
  return role === 'contributor' ? ['contributor'] : []
}
