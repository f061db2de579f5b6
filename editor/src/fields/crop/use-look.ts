import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Look } from '../../model/crop.ts'

/** A look that is being changed, with the steps that can be taken back. */
export interface OpenLook {
  readonly now: Look
  readonly canUndo: boolean
  /** Changes it; changes with the same name that follow each other are one step. */
  change(name: string, next: Look): void
  /** The next change is a step of its own. */
  endStep(): void
  undo(): void
}

/** A look, and what was done to it. */
export function useLook(first: Look): OpenLook {
  const steps = useSignal<readonly Look[]>([])
  const now = useSignal(first)
  const last = useRef('')
  return {
    now: now.value,
    canUndo: steps.value.length > 0,
    change(name, next) {
      if (name !== last.current) steps.value = [...steps.peek(), now.peek()]
      last.current = name
      now.value = next
    },
    endStep() {
      last.current = ''
    },
    undo() {
      const before = steps.peek().at(-1)
      if (before === undefined) return
      steps.value = steps.peek().slice(0, -1)
      now.value = before
      last.current = ''
    },
  }
}
