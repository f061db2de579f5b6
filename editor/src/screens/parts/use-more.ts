import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Answered, useQuery } from '../../data/query.ts'

/** A page of a list that goes on by time. */
interface Page<Row> {
  readonly results: readonly Row[]
  /** Where the next page begins; null on the last one. */
  readonly next: string | null
}

/** The pages of a list that are shown so far. */
export interface OpenPages<Row> {
  readonly answered: Answered<{ readonly rows: readonly Row[]; readonly hasMore: boolean }>
  showMore(): void
}

/**
 * Reads the first page of a list in one request, and older ones when they are asked for; all of them again when what they
 * are `of` changes. `tag` is what the list is of, for `invalidate`.
 */
export function useMore<Row>(
  tag: string,
  of: string,
  read: (before: string | null, signal: AbortSignal) => Promise<Page<Row>>,
): OpenPages<Row> {
  const wanted = useSignal(1)
  const kept = useRef<{ of: string; pages: Page<Row>[] }>({ of: '', pages: [] })
  const load = async (signal: AbortSignal) => {
    const isWhole = kept.current.pages.length >= wanted.peek() || kept.current.pages.at(-1)?.next === null
    // All pages are there: they are requested again.
    if (kept.current.of !== of || isWhole) kept.current = { of, pages: [] }
    const { pages } = kept.current
    while (pages.length < wanted.peek()) {
      const before = pages.at(-1)?.next ?? null
      if (before === null && pages.length > 0) break
      pages.push(await read(before, signal))
    }
    const hasMore = (pages.at(-1)?.next ?? null) !== null
    return { rows: pages.flatMap(({ results }) => results), hasMore }
  }
  return {
    answered: useQuery([tag, 'more', of, wanted.value], load),
    showMore: () => {
      wanted.value += 1
    },
  }
}
