import type { Site } from '../../model/declared/types.ts'
import { getChoiceFilter, getPageFilter } from '../presentation/url-operations.ts'

/** A further page of an index page, or one of a filter. */
export interface IndexUrl {
  /** What follows the URL of the index page: steps of a path, or a query. */
  readonly filter: string
  /** The same steps, not encoded; none of a query. */
  readonly steps: readonly string[]
  /** What follows its id in `i18nId`. */
  readonly id: string
}

/** A part of an index page's list: all of it, or what a filter leaves. */
export interface Part {
  /** Of the filter; null for the whole list. */
  readonly choice: { readonly name: string; readonly value: string } | null
  readonly pages: number
}

/** The longest value that can be asked for (§0.4). */
const LONGEST_VALUE = 1000

/** Whether a value can be asked for. */
export function isUsable(value: string): boolean {
  return value !== '' && value.length <= LONGEST_VALUE && value.isWellFormed()
}

/**
 * The URLs of an index page besides its own: its further pages, and those of each filter, below it where URLs are paths
 * (§4.6).
 */
export function* indexUrls(site: Pick<Site, 'static'>, parts: readonly Part[]): Generator<IndexUrl> {
  for (const { choice, pages } of parts) {
    for (let number = choice === null ? 2 : 1; number <= pages; number += 1) {
      const filter =
        choice === null ? getPageFilter({ site }, number) : getChoiceFilter({ site }, choice.name, choice.value, number)
      // A value that cannot be a step is asked for by a query, which no file has.
      if (site.static && !filter.startsWith('/')) break
      const id = choice === null ? `.${number}` : `.${choice.name}.${choice.value}.${number}`
      yield { filter, steps: site.static ? filter.split('/').slice(1).map(decodeURIComponent) : [], id }
    }
  }
}
