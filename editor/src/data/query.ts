import { keepPreviousData, QueryClient, QueryObserver } from '@tanstack/query-core'
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks'

/** The identity of an answer: its first word is what it is of, such as a type. */
export type QueryKey = readonly [tag: string, ...rest: readonly unknown[]]

/** An answer that may still be under way. What was there stays while it is renewed. */
export interface Answered<Data> {
  readonly data: Data | undefined
  readonly error: unknown
  readonly isRenewed: boolean
  retry(): void
}

const STALE_MS = 10_000
const KEPT_MS = 300_000
const QUIET_MS = 300

const answers = new QueryClient({
  defaultOptions: {
    // The client tries again by itself.
    queries: { retry: false, staleTime: STALE_MS, gcTime: KEPT_MS, networkMode: 'always' },
  },
})

/** Asks once for what several parts of a page need, and again when it is stale. */
export function useQuery<Data>(key: QueryKey, load: (signal: AbortSignal) => Promise<Data>): Answered<Data> {
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const options = answers.defaultQueryOptions<Data, Error, Data, Data, QueryKey>({
    queryKey: key,
    queryFn: ({ signal }) => load(signal),
    placeholderData: keepPreviousData,
  })
  const observer = useMemo(() => new QueryObserver(answers, options), [])
  useEffect(() => observer.subscribe(() => redraw(undefined)), [observer])
  useEffect(() => observer.setOptions(options))
  const { data, error, isFetching } = observer.getOptimisticResult(options)
  return { data, error, isRenewed: isFetching, retry: () => void observer.refetch() }
}

/** Whether the screen has got all that it asks for first: from when nothing was under way for a moment. */
export function useQuiet(): boolean {
  const [isQuiet, setQuiet] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      if (answers.isFetching() === 0) timer = setTimeout(() => setQuiet(true), QUIET_MS)
    }
    look()
    const stop = answers.getQueryCache().subscribe(look)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [])
  return isQuiet
}

/** Asks again for all answers with one of these tags: at once where they are on the screen. */
export function invalidate(...tags: readonly string[]): Promise<void> {
  return answers.invalidateQueries({ predicate: ({ queryKey }) => tags.includes(String(queryKey[0])) })
}

/** Forgets all answers: somebody else signs in. */
export function forget(): void {
  answers.clear()
}
