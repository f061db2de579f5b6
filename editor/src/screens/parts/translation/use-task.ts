import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** How far a request is. */
export type TaskStep<Result> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly error: unknown }

interface Task<Result> {
  readonly step: ReadonlySignal<TaskStep<Result>>
  /** Begins the work, unless it is under way. */
  run(work: (signal: AbortSignal) => Promise<Result>): Promise<void>
  /** As if nothing had been done. */
  reset(): void
}

/** Work that somebody begins, one piece at a time, and that ends with the component. */
export function useTask<Result>(): Task<Result> {
  const step = useSignal<TaskStep<Result>>({ kind: 'ready' })
  const end = useRef(new AbortController())
  useEffect(() => () => end.current.abort(), [])
  const run = async (work: (signal: AbortSignal) => Promise<Result>) => {
    if (step.peek().kind === 'busy') return
    step.value = { kind: 'busy' }
    try {
      step.value = { kind: 'done', result: await work(end.current.signal) }
    } catch (error) {
      step.value = { kind: 'failed', error }
    }
  }
  const reset = () => {
    step.value = { kind: 'ready' }
  }
  return { step, run, reset }
}
