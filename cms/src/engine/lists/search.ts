import { invalid } from '../../base/errors.ts'
import { cutText, lengthOf, searchWords } from '../../base/text.ts'
import type { Document } from '../../model/document.ts'
import type { Field } from '../../model/fields/field-type.ts'
import { searchTexts } from '../../model/index-rows.ts'
import type { Role } from '../../model/roles.ts'
import type { Type } from '../../model/types.ts'
import { boosted, type SearchQuery } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { isProjected, type ReadAccess, roleOf } from '../permissions.ts'

/** The most characters of a document that are indexed: very long ones are found by their beginning. */
const INDEXED_LENGTH = 250_000

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
 * widest audience comes first: what is too long for the index is left out from the end.
 */
export function indexedWords(type: Type, document: Document): string {
  const byMarker = new Map<string, Set<string>>()
  let left = INDEXED_LENGTH
  for (const { field, viewRole, text } of searchTexts(type.fields, document.fields)) {
    const marker = MARKERS[audienceOf(type, field, viewRole)]
    const indexed = cutText(text, left)
    left -= indexed.length
    const words = byMarker.get(marker) ?? new Set()
    byMarker.set(marker, words)
    for (const word of searchWords(indexed)) {
      words.add(marker + word)
      if (field.name === 'title') words.add(boosted(marker + word))
    }
  }
  return [...byMarker]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, words]) => [...words])
    .join(' ')
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
