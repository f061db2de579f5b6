import { batch, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

/** How many parts are drawn at first. */
export const AT_FIRST = 20
/** How many come with each turn: a few turns, since each of them lays out the page again. */
const IN_A_TURN = 60

interface InTurnProps {
  /** Whether it waits for those before it; after it was drawn this changes nothing. */
  readonly isLater: boolean
  readonly children: () => ComponentChildren
}

/** One of many parts: later ones are drawn a few at a time, so that nobody waits for what is out of sight. */
export function InTurn({ isLater, children }: InTurnProps) {
  const isDue = useSignal(!isLater)
  useEffect(() => {
    if (!isDue.peek())
      return inTurn(() => {
        isDue.value = true
      })
  }, [])
  return isDue.value ? children() : null
}

const waiting = new Set<() => void>()

/** Draws a part when its turn comes; the function that calls this off. */
function inTurn(draw: () => void): () => void {
  if (waiting.size === 0) setTimeout(drawNext)
  waiting.add(draw)
  return () => waiting.delete(draw)
}

function drawNext(): void {
  const next = [...waiting].slice(0, IN_A_TURN)
  for (const draw of next) waiting.delete(draw)
  batch(() => {
    for (const draw of next) draw()
  })
  if (waiting.size > 0) setTimeout(drawNext)
}
