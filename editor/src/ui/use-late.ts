import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'

/** A part of the program that is loaded when it is first wanted. */
export interface Late<Part> {
  /** Null until it is loaded. */
  readonly part: ReadonlySignal<Part | null>
  /** Loads it, once; `onFailure` where it cannot be loaded: then it can be wanted again. */
  want(onFailure: () => void): void
}

/** A part that is loaded late. */
export function useLate<Part>(load: () => Promise<Part>): Late<Part> {
  const part = useSignal<Part | null>(null)
  const isLoading = useRef(false)
  const loadOnce = async (onFailure: () => void) => {
    if (isLoading.current || part.peek() !== null) return
    isLoading.current = true
    try {
      part.value = await load()
    } catch {
      onFailure()
    } finally {
      isLoading.current = false
    }
  }
  return { part, want: (onFailure) => void loadOnce(onFailure) }
}
