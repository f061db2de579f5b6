import { cutText, searchWords } from '../../base/text.ts'
import type { Document } from '../../model/document.ts'
import type { Field } from '../../model/fields/field-type.ts'
import type { Role } from '../../model/roles.ts'
import { searchTexts } from '../../model/schema.ts'
import type { Type } from '../../model/types.ts'
import { boosted, type SearchQuery } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { isProjected, type ReadAccess, roleOf } from '../permissions.ts'

/** Characters of a document that are indexed: very long ones are found by their beginning. */
const INDEXED_LENGTH = 250_000
/** How often a title's words count for each one of another field. */
const TITLE_WEIGHT = 3

/**
 * Who may find a document by a word: strangers; whoever sees the whole document; or a role from here upwards. Words are
 * indexed in a form of their own for each audience, so that a search never matches what its caller cannot read.
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
 * All words that a document is found by, each in its audience's form, those of a title also as words that weigh more.
 * Widest audience first: how a hit is ranked must not depend on words that its reader cannot find.
 */
export function indexedWords(type: Type, document: Document): string {
  const byMarker = new Map<string, string[]>()
  let left = INDEXED_LENGTH
  for (const { field, viewRole, text } of searchTexts(type.fields, document.fields)) {
    const marker = MARKERS[audienceOf(type, field, viewRole)]
    const words = byMarker.get(marker) ?? []
    byMarker.set(marker, words)
    const indexed = cutText(text, left)
    left -= indexed.length
    const found = searchWords(indexed).map((word) => marker + word)
    for (let times = field.name === 'title' ? TITLE_WEIGHT : 1; times > 0; times -= 1) words.push(...found)
    if (field.name === 'title') words.push(...found.map(boosted))
  }
  return [...byMarker]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, words]) => words)
    .join(' ')
}

/** What the caller searches for, in the forms that this caller may find; null when the text holds no word. */
export function searchQuery(
  ctx: Context,
  type: Type,
  access: ReadAccess,
  texts: { readonly whole: string; readonly beginning: string },
): SearchQuery | null {
  const words = [...searchWords(texts.whole), ...searchWords(texts.beginning)]
  if (words.length === 0) return null
  const markers = markersFor(ctx, type, access)
  return {
    words: words.map((word) => markers.map((marker) => marker + word)),
    isPrefix: searchWords(texts.beginning).length > 0,
  }
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
