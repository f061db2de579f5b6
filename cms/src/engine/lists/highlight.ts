import { escapeHtml } from '../../base/html.ts'
import { cutText, wordsInPlace } from '../../base/text.ts'
import { waitForTurn } from '../../base/turns.ts'
import { stateOf } from '../../model/terms/document.ts'
import { isShownTo, type StoredDocument, type View } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { isInScope } from '../view.ts'
import type { ListRequest, ListSearch } from './find.ts'
import { type FoundText, foundTexts, relatedTitles } from './found-texts.ts'
import { placedFormsOf } from './indexed-words.ts'

/** The most characters of a document in which words are marked: of long ones the beginning. */
const MARKED_LENGTH = 20_000
/** The characters of a passage, and of those before its first marked word. */
const [PASSAGE_LENGTH, BEFORE_LENGTH] = [240, 60]
/** How many documents are read at a time. */
const BATCH = 50

/** Passages of a document as HTML, by the name of the field: the words that were found are in `<mark>`. */
export type Highlight = Readonly<Record<string, string>>

/**
 * Marks what a search has found in documents of its list, by row number: in texts by which the caller finds them, and so
 * may see, and in no others.
 */
export async function highlightsOf(
  ctx: Context,
  { search, view }: ListRequest,
  rows: readonly number[],
): Promise<ReadonlyMap<number, Highlight>> {
  const found = new Map<number, Highlight>()
  if (search === null) return found
  const finder = new Finder(search)
  for (let left = rows.toSorted((one, other) => one - other), last = 0; left.length > 0; ) {
    const stored = await ctx.store.documents.numbered(left, last, BATCH)
    last = stored.at(-1)?.row ?? Number.MAX_SAFE_INTEGER
    const titles = await relatedTitles(ctx, stored)
    for (const { row, document } of stored.filter((one) => isOf(view, one))) {
      found.set(row, finder.highlight(foundTexts(ctx.site.types, document, titles)))
      await waitForTurn()
    }
    left = left.filter((row) => row > last)
  }
  return found
}

/** Whether the list still shows a document. */
function isOf(view: View, { document }: StoredDocument): boolean {
  return isInScope(view, document) && isShownTo(view, stateOf(document))
}

/** A word that is marked. */
interface Marked {
  readonly start: number
  readonly end: number
}

class Finder {
  readonly #search: ListSearch
  readonly #forms: ReadonlySet<string>
  readonly #beginnings: readonly string[]

  constructor(search: ListSearch) {
    this.#search = search
    const { words, isPrefix } = search
    this.#forms = new Set((isPrefix ? words.slice(0, -1) : words).flat())
    this.#beginnings = isPrefix ? (words.at(-1) ?? []) : []
  }

  /** The first passage of each field that has a word of the search. */
  highlight(texts: readonly FoundText[]): Highlight {
    const found = new Map<string, string>()
    let left = MARKED_LENGTH
    for (const one of texts) {
      if (found.has(one.name) || one.name === 'slug' || !this.#search.asked.markers.includes(one.marker)) continue
      const text = cutText(one.text, left)
      left -= text.length
      const passage = passageOf(text, this.#markedIn({ ...one, text }))
      if (passage !== null) found.set(one.name, passage)
    }
    return Object.fromEntries(found)
  }

  #markedIn({ text, marker, weight }: FoundText): Marked[] {
    const { language } = this.#search.asked
    const isFound = (form: string) =>
      this.#forms.has(form) || this.#beginnings.some((beginning) => form.startsWith(beginning))
    const marked: Marked[] = []
    for (const { start, written, words } of wordsInPlace(text)) {
      const forms = words.flatMap((word) => placedFormsOf(word, { marker, weight, language }))
      if (forms.some(isFound)) marked.push({ start, end: start + written.length })
    }
    return marked
  }
}

/** The part of a text around its first marked word, as HTML; null where none is marked. */
function passageOf(text: string, marked: readonly Marked[]): string | null {
  const [first] = marked
  if (first === undefined) return null
  const from = text.length <= PASSAGE_LENGTH ? 0 : beginningOf(text, first.start)
  const to = text.length - from <= PASSAGE_LENGTH ? text.length : endOf(text, from, first.end)
  let html = from > 0 ? '… ' : ''
  let last = from
  for (const { start, end } of marked) {
    if (end > to) break
    html += `${escapeHtml(text.slice(last, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`
    last = end
  }
  html += escapeHtml(text.slice(last, to))
  return `${html}${to < text.length ? ' …' : ''}`.replaceAll(/\s+/g, ' ').trim()
}

/** Where a passage begins: behind a space, if there is one in the characters before its first marked word. */
function beginningOf(text: string, start: number): number {
  const earliest = Math.max(0, start - BEFORE_LENGTH)
  if (earliest === 0) return 0
  const space = text.slice(earliest, start).search(/\s/)
  return space < 0 ? start : earliest + space + 1
}

/** Where a passage ends: before a space, or behind its first marked word. */
function endOf(text: string, from: number, least: number): number {
  const latest = Math.max(least, from + PASSAGE_LENGTH)
  const space = text.slice(least, latest).search(/\s\S*$/)
  return space < 0 ? least : least + space
}
