import type { Site } from '../../model/types.ts'
import { isFree, type ListedPage } from './listed-pages.ts'

/** A further page of an index page, or one of a filter. */
export interface IndexUrl {
  /** What follows the URL of the index page. */
  readonly suffix: string
  /** What follows its id in `i18nId`. */
  readonly id: string
}

/** A part of an index page's list: all of it, or what a filter leaves. */
export interface Part {
  /** Of the filter; null for the whole list. */
  readonly filter: { readonly name: string; readonly value: string } | null
  readonly pages: number
}

/** The lists of an index page type, as its pages offer them: the whole one and one for each value in use. */
export interface IndexParts {
  readonly parts: readonly Part[]
}

/** The longest value that can be asked for (§0.4). */
const LONGEST_VALUE = 1000

/** Whether a value can be a step of a path. */
export function isUsable(value: string): boolean {
  return value !== '' && value !== '.' && value !== '..' && value.length <= LONGEST_VALUE && value.isWellFormed()
}

/** The URLs of an index page beside its own: its further pages, and those of each filter (§4.6). */
export function* indexUrls(
  { static: isStatic }: Pick<Site, 'static'>,
  { slug }: Pick<ListedPage, 'slug'>,
  { parts }: IndexParts,
  slugs: ReadonlySet<string>,
): Generator<IndexUrl> {
  for (const { filter, pages } of parts) {
    for (let number = filter === null ? 2 : 1; number <= pages; number += 1) {
      const steps = stepsOf(filter, number)
      if (isStatic && !isFree(slugs, slug, steps)) continue
      const suffix = isStatic ? pathSuffix(steps) : querySuffix(filter, number)
      yield { suffix, id: filter === null ? `.${number}` : `.${filter.name}.${filter.value}.${number}` }
    }
  }
}

function stepsOf(filter: Part['filter'], number: number): string[] {
  return [...(filter === null ? [] : [filter.name, filter.value]), ...(number === 1 ? [] : ['page', String(number)])]
}

function pathSuffix(steps: readonly string[]): string {
  return steps.map((step) => `/${encodeURIComponent(step)}`).join('')
}

function querySuffix(filter: Part['filter'], number: number): string {
  const parameters = [
    ...(filter === null ? [] : [`${encodeURIComponent(filter.name)}=${encodeURIComponent(filter.value)}`]),
    ...(number === 1 ? [] : [`page=${number}`]),
  ]
  return `?${parameters.join('&')}`
}
