import { type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Wish } from '../inside/protocol.ts'
import type { Items, Path } from '../model/form.ts'
import { isSamePath } from '../model/paths.ts'

/** A request made at the page: something to be done with a block of an area. */
export interface Ask {
  /** The area. */
  readonly path: Path
  /** The block; null for an area without blocks. */
  readonly id: string | null
  readonly wish: Wish
}

/** The request, until the area has carried it out: there is one page, next to one form. */
export const asked: Signal<Ask | null> = signal(null)

/** Does what is asked of an area, also what was asked before it was drawn. */
export function useAsked({ path }: Items, run: (ask: Ask) => void): void {
  const { value } = asked
  useEffect(() => {
    if (value === null || !isSamePath(value.path, path)) return
    asked.value = null
    run(value)
  }, [value])
}
