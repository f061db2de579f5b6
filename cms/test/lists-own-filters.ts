import type { Filter } from './lists-questions.ts'
import type { NaiveView } from './lists-related.ts'
import { type Stored, sees, seesSchedules } from './lists-truth.ts'
import { isBetween } from './lists-values.ts'

type Test = (document: Stored) => boolean

/** Filters of lists that are about no field, by a look at each document. */
export class NaiveOwnFilters {
  readonly #view: NaiveView
  readonly #locale: string

  constructor(view: NaiveView, locale: string) {
    this.#view = view
    this.#locale = locale
  }

  /** Null where the parameter is ignored, undefined for one that is none of these. */
  testOf(filter: Filter): Test | null | undefined {
    const [value = ''] = filter.values ?? []
    const isTrue = value === 'true'
    switch (filter.name) {
      case 'publishAt':
      case 'archiveAt':
        return seesSchedules(this.#view.seen) ? scheduled(filter, filter.name) : null
      case 'updatedBy':
        return ({ updatedById }) => updatedById === value
      case 'missingIn':
        return (document) => this.#copiesIn(document, value).length === 0
      case 'outdatedIn':
        return (document) => this.#isOutdated(document, value)
      case 'hasAlt':
        return ({ fields }) => Boolean(fields.alt) === isTrue
      case 'isUsed':
        return (document) => this.#isUsed(document) === isTrue
      case 'extension': {
        const wanted = (filter.values ?? []).map((text) => text.toLowerCase())
        return ({ file }) => file !== null && wanted.includes(file.extension)
      }
      case 'minWidth':
        return ({ file }) => file !== null && file.width >= Number(value)
      case 'minHeight':
        return ({ file }) => file !== null && file.height >= Number(value)
      default:
        return undefined
    }
  }

  #copiesIn({ docId, type }: Stored, locale: string): Stored[] {
    return this.#view.all.filter((one) => one.docId === docId && one.locale === locale && one.type === type)
  }

  #isOutdated(document: Stored, locale: string): boolean {
    const there = this.#copiesIn(document, locale)
    const saved = (there.find(({ mode }) => mode === 'draft') ?? there[0])?.updatedAt
    const published = this.#copiesIn(document, document.locale).map(({ lastPublishedAt }) => lastPublishedAt ?? '')
    return locale !== document.locale && saved !== undefined && published.some((time) => time > saved)
  }

  /** By relationships of products that the caller sees. */
  #isUsed({ docId }: Stored): boolean {
    const fields = (['imagesIds', 'secretImagesIds'] as const).filter(
      (name) => name === 'imagesIds' || sees(this.#view.seen, 'editor'),
    )
    return this.#view.all.some(
      (one) =>
        one.type === 'product' &&
        one.locale === this.#locale &&
        fields.some((name) => [one.fields[name]].flat().includes(docId)),
    )
  }
}

function scheduled({ values, min, max, exists }: Filter, time: 'publishAt' | 'archiveAt'): Test {
  if (exists !== undefined) return (document) => (document[time] !== null) === exists
  if (values !== null) {
    const wanted = values.map((text) => Date.parse(text))
    return (document) => document[time] !== null && wanted.includes(document[time])
  }
  const [least, most] = [Date.parse(min ?? ''), Date.parse(max ?? '')]
  return (document) => document[time] !== null && isBetween(document[time], least, most)
}
