// Longer than other files: lists once more, as simply as they can be written, to compare with.

import { docIdOf } from '../src/model/terms/document-id.ts'
import { NaiveOwnFilters } from './lists-own-filters.ts'
import type { Filter, ListQuestion } from './lists-questions.ts'
import { NaiveRelationships, type NaiveView } from './lists-related.ts'
import { type Role, TYPES } from './lists-site.ts'
import {
  folded,
  hasStem,
  isAtLeast,
  isMistyped,
  type Stored,
  seenBy,
  sees,
  seesSchedules,
  textsOf,
  type Weight,
  weightOf,
  wordsIn,
} from './lists-truth.ts'
import { cellOf, compare, isBetween, isSortable, keysOf, numberOf, readAs } from './lists-values.ts'

/** What a list must answer; `ids` of the page. */
export interface NaiveList {
  readonly ids: readonly string[]
  readonly total: number
  readonly pages: number
  /** By name of a filter: `[value, label, count]`; labels of related documents alone. */
  readonly choices: Readonly<Record<string, readonly NaiveChoice[]>>
  /** By id and relationship: the ids of what is populated. */
  readonly related: readonly Readonly<Record<string, readonly string[]>>[]
}
export type NaiveChoice = readonly [value: string, label: string | null, count: number]

/** Which words count as those of a search: as written, by stems too, or with mistakes too. */
type How = 'literal' | 'stem' | 'mistake'

interface FoundText {
  readonly text: string
  readonly weight: Weight
}

type Test = (document: Stored) => boolean

/** Filters that callers who may not read drafts are refused. */
const OF_READERS: ReadonlySet<string> = new Set(['updatedBy', 'missingIn', 'outdatedIn', 'isUsed'])

/** A list by a look at each document. */
export class NaiveLists {
  readonly #all: readonly Stored[]

  constructor(all: readonly Stored[]) {
    this.#all = all
  }

  /** A status where the list is refused. */
  answer(question: ListQuestion, role: Role | null): NaiveList | number {
    const type = TYPES[question.type]
    if (type === undefined) return 404
    if (question.locale === 'it' && role === null) return 404
    const isReader = isAtLeast(role, 'contributor') && isAtLeast(role, type.viewRole ?? 'contributor')
    const refused = role === null ? 401 : 403
    if (question.mode === 'draft' && type.isLocalized && !isReader) return refused
    const seen = seenBy(role, type, question.isVisit)
    // Whoever does not see the type does not learn that it has states.
    if (seen === null) return 404
    if ((question.states !== null || question.filters.some(({ name }) => OF_READERS.has(name))) && !isReader)
      return refused
    const isSearch = question.search !== '' || question.autocomplete !== ''
    // None: by relevance; null: in the order of the type.
    const sorts = question.sort.length > 0 || isSearch ? question.sort : null
    if (sorts?.some(([name]) => !isSortable(seen, name))) return 400
    return new NaiveQuery({ all: this.#all, seen, isVisit: question.isVisit }, question).list(sorts)
  }
}

class NaiveQuery {
  readonly #view: NaiveView
  readonly #question: ListQuestion
  readonly #relationships: NaiveRelationships
  #how: How | null = null

  constructor(view: NaiveView, question: ListQuestion) {
    this.#view = view
    this.#question = question
    this.#relationships = new NaiveRelationships(view)
  }

  list(sorts: ListQuestion['sort'] | null): NaiveList {
    const { page, ids, perPage, choices, counts, isVisit, states } = this.#question
    const found = this.#ordered(this.#matching(null), sorts)
    const most = perPage ?? (ids === null ? (isVisit ? 4 : 10) : Math.max(ids.length, 1))
    const shown = found.slice((page - 1) * most, page * most)
    const named = [...new Set([...choices, ...counts, ...(states === null ? [] : ['state'])])]
    return {
      ids: shown.map(({ docId }) => docId),
      total: found.length,
      pages: Math.ceil(found.length / most),
      choices: Object.fromEntries(
        named.flatMap((name) => {
          const found = this.#choices(name)
          return found === null ? [] : [[name, found] as const]
        }),
      ),
      related: shown.map((document) => this.#relationships.populated(document)),
    }
  }

  /** States and schedules are those of drafts. */
  get #mode(): string {
    const { mode, states, filters, sort } = this.#question
    const names = [...filters.map(({ name }) => name), ...sort.map(([name]) => name)]
    const isBySchedule = names.some((name) => name === 'publishAt' || name === 'archiveAt')
    return states !== null || (isBySchedule && seesSchedules(this.#view.seen)) ? 'draft' : mode
  }

  #isListed(document: Stored, without: string | null): boolean {
    const { caller, type, locale, archived, states } = this.#question
    const { role, onlyPublic } = this.#view.seen
    // What a key of an AI writes goes to drafts: it edits nothing that has none.
    const mayEdit = isAtLeast(role, 'contributor') && (caller !== 'ai' || TYPES[type]?.isLocalized === true)
    const wanted = TYPES[type]?.isLocalized ? { locale, mode: this.#mode } : { locale: '', mode: 'published' }
    const byState = without === 'state' ? 'any' : states?.includes('archived') ? 'any' : 'false'
    const archiving = mayEdit ? (archived ?? byState) : 'false'
    return (
      document.type === type &&
      document.locale === wanted.locale &&
      document.mode === wanted.mode &&
      (document.isPublic || !onlyPublic) &&
      (archiving === 'any' || document.isArchived === (archiving === 'true')) &&
      (states === null || without === 'state' || states.includes(document.state))
    )
  }

  /** All documents of the list, without the filter of one parameter; with mistakes where nothing else is found. */
  #matching(without: string | null): Stored[] {
    this.#how ??= this.#found(null, 'stem').length > 0 ? 'stem' : 'mistake'
    return this.#found(without, this.#how)
  }

  #found(without: string | null, how: How): Stored[] {
    const { filters, ids, search, autocomplete } = this.#question
    const tests = filters.flatMap((filter) => (filter.name === without ? [] : (this.#testOf(filter) ?? [])))
    const isWanted = (document: Stored) => ids === null || ids.map(docIdOf).includes(document.docId)
    const isFound = (document: Stored) =>
      (search === '' && autocomplete === '') || this.#hasWords(this.#textsOf(document), how)
    return this.#view.all.filter(
      (document) =>
        this.#isListed(document, without) &&
        isWanted(document) &&
        isFound(document) &&
        tests.every((test) => test(document)),
    )
  }

  /** The texts by which the caller finds a document. */
  #textsOf(document: Stored): readonly FoundText[] {
    const { seen } = this.#view
    const own = textsOf(document).filter((text) => text.weight !== 'none' && sees(seen, text.sees))
    const titles = Object.keys(seen.type.relationships).flatMap((name) => {
      const led = this.#relationships.find(name)
      // Titles that the public projection leaves out are found by contributors and above.
      const isFound = led?.seesTitle && (led.to !== TYPES.person || isAtLeast(seen.role, 'contributor'))
      // Those that need a login, by callers with a role who see the whole document.
      const targets = (led?.targets(document) ?? []).filter(
        (one) => one.isPublic || (seen.role !== null && seen.isFull),
      )
      const weight = weightOf(document.type, name)
      return isFound ? targets.map(({ fields }) => ({ text: String(fields.title), weight })) : []
    })
    return [...own, ...titles]
  }

  #hasWords(texts: readonly FoundText[], how: How): boolean {
    const { search, autocomplete } = this.#question
    const held = [...new Set(texts.flatMap(({ text }) => wordsIn(text)))]
    const begun = wordsIn(autocomplete)
    const asked = wordsIn(search)
    const last = begun.at(-1)
    if (asked.length === 0 && last === undefined) return search.trim() === '' && autocomplete.trim() === ''
    const { locale, type } = this.#question
    const language = TYPES[type]?.isLocalized ? locale : 'en'
    const forgives = how === 'mistake' && new Set(asked).size <= 8
    const isAlike = (word: string, other: string) =>
      how === 'literal'
        ? word === other
        : hasStem(word, other, language) || (forgives && isMistyped(word, other, language))
    return (
      asked.every((word) => held.some((other) => isAlike(word, other))) &&
      begun.slice(0, -1).every((word) => held.includes(word)) &&
      (last === undefined || held.some((word) => word.startsWith(last)))
    )
  }

  /** The place of a document by relevance: of its best rank. */
  #rankOf(document: Stored): number {
    const texts = this.#textsOf(document)
    const places = [['high'], ['high', 'normal'], ['high', 'normal', 'low']]
    const ranks = (['literal', this.#how ?? 'stem'] as const).flatMap((how) =>
      places.map((place) =>
        this.#hasWords(
          texts.filter(({ weight }) => place.includes(weight)),
          how,
        ),
      ),
    )
    return ranks.indexOf(true)
  }

  /** Null where the parameter is ignored. */
  #testOf(filter: Filter): Test | null {
    const { name, values, min, max } = filter
    const { isFull, type } = this.#view.seen
    const own = new NaiveOwnFilters(this.#view, this.#question.locale).testOf(filter)
    if (own !== undefined) return own
    if (name === 'visibility') {
      return isFull ? ({ fields }) => values?.includes(String(fields.visibility)) === true : null
    }
    if (name === 'createdAt' || name === 'updatedAt') {
      return isFull
        ? (document) => isBetween(Date.parse(document[name]), Date.parse(min ?? ''), Date.parse(max ?? ''))
        : null
    }
    if (name === 'atLeast')
      return ({ fields }) => typeof fields.price === 'number' && fields.price >= Number(values?.[0])
    const field = type.fields[name]
    if (field !== undefined) {
      if (!sees(this.#view.seen, field.sees)) return null
      if (values !== null) {
        const wanted = values.flatMap((value) => keysOf(field.kind, readAs(name, field.kind, value)))
        return ({ fields }) => keysOf(field.kind, fields[name]).some((key) => wanted.includes(key))
      }
      const bounds = [min, max].map((bound) => (bound === undefined ? Number.NaN : numberOf(field.kind, bound)))
      return ({ fields }) =>
        fields[name] !== null &&
        fields[name] !== undefined &&
        isBetween(numberOf(field.kind, fields[name]), bounds[0], bounds[1])
    }
    return this.#relatedTest(name, values ?? [])
  }

  #relatedTest(name: string, named: readonly string[]): Test | null {
    const isAnd = name.endsWith('And')
    const led = this.#relationships.find(isAnd ? name.slice(0, -'And'.length) : name)
    if (led === null) return null
    const others = [...new Set(named.filter((text) => text !== 'none'))]
    const orNone = named.includes('none')
    if (isAnd && orNone && others.length > 0) return () => false
    if (led.seen === null) return orNone ? null : () => false
    const bySlug = !name.startsWith('_') && led.seesSlug
    const wanted = others.map((text) => (bySlug ? folded(text) : (docIdOf(text) ?? '')))
    const keyOf = (target: Stored) => (bySlug ? folded(String(target.fields.slug)) : target.docId)
    return (document) => {
      const keys = led.targets(document).map(keyOf)
      if (others.length === 0) return keys.length === 0
      if (isAnd) return wanted.every((key) => keys.includes(key))
      return wanted.some((key) => keys.includes(key)) || (orNone && keys.length === 0)
    }
  }

  #choices(name: string): NaiveChoice[] | null {
    const field = this.#view.seen.type.fields[name]
    const isColumn = name === 'title' || name === 'slug'
    const counted = new Map<string, NaiveChoice>()
    const count = (value: string, label: string | null) => {
      counted.set(value, [value, label, (counted.get(value)?.[2] ?? 0) + 1])
    }
    if (field !== undefined && !isColumn && sees(this.#view.seen, field.sees)) {
      for (const { fields } of this.#matching(name))
        for (const key of keysOf(field.kind, fields[name])) count(String(key), null)
      return [...counted.values()]
    }
    if (name === 'state') {
      for (const { state } of this.#matching(name)) count(state, null)
      return [...counted.values()]
    }
    const led = this.#relationships.find(name)
    if (led === null) return null
    for (const document of this.#matching(name)) {
      for (const { docId, fields } of led.targets(document)) {
        const label = led.seesTitle ? String(fields.title) : led.seesSlug ? String(fields.slug) : null
        count(name.startsWith('_') || !led.seesSlug ? docId : String(fields.slug), label)
      }
    }
    return [...counted.values()]
  }

  #ordered(found: readonly Stored[], sorts: ListQuestion['sort'] | null): Stored[] {
    const { ids } = this.#question
    if (ids !== null) {
      const order = ids.map(docIdOf)
      return found.toSorted((one, other) => order.indexOf(one.docId) - order.indexOf(other.docId))
    }
    if (sorts?.length === 0) {
      const ranks = new Map(found.map((document) => [document, this.#rankOf(document)]))
      const rank = (document: Stored) => ranks.get(document) ?? 0
      return found.toSorted((one, other) => rank(one) - rank(other) || other.row - one.row)
    }
    const own = this.#view.seen.type.sort.filter(([name]) => isSortable(this.#view.seen, name))
    const given = sorts ?? (own.length > 0 ? own : [['updatedAt', -1] as const])
    return found.toSorted((one, other) => {
      for (const [name, direction] of given) {
        const difference = compare(cellOf(this.#view.seen, one, name), cellOf(this.#view.seen, other, name), direction)
        if (difference !== 0) return difference
      }
      return (one.row - other.row) * (given[0]?.[1] ?? -1)
    })
  }
}
