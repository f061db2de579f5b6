import type { Site } from '../../model/types.ts'
import { getChoiceFilter, getPageFilter } from '../presentation/url-operations.ts'
import { isFree, type ListedPage, type TakenSlugs } from './listed-pages.ts'

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

/** Whether a value can be asked for. */
export function isUsable(value: string): boolean {
  return value !== '' && value.length <= LONGEST_VALUE && value.isWellFormed()
}

/**
 * The URLs of an index page beside its own: its further pages, and those of each filter (§4.6). Where they are paths, only
 * those that are paths indeed, and that no page takes.
 */
export function* indexUrls(
  site: Pick<Site, 'static'>,
  { slug }: Pick<ListedPage, 'slug'>,
  { parts }: IndexParts,
  taken: TakenSlugs,
): Generator<IndexUrl> {
  for (const { filter, pages } of parts) {
    for (let number = filter === null ? 2 : 1; number <= pages; number += 1) {
      const suffix =
        filter === null ? getPageFilter({ site }, number) : getChoiceFilter({ site }, filter.name, filter.value, number)
      const isPath = suffix.startsWith('/')
      if (site.static && !(isPath && isFree(taken, slug, stepsOf(filter, number)))) continue
      yield { suffix, id: filter === null ? `.${number}` : `.${filter.name}.${filter.value}.${number}` }
    }
  }
}

function stepsOf(filter: Part['filter'], number: number): string[] {
  return [...(filter === null ? [] : [filter.name, filter.value]), ...(number === 1 ? [] : ['page', String(number)])]
}
