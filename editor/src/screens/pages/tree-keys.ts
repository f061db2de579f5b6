import type { Line, Target } from './branches.ts'

/** A step that a key takes in the tree. */
export type TreeStep =
  | { readonly kind: 'go'; readonly index: number }
  | { readonly kind: 'open' | 'close' | 'edit' }
  | { readonly kind: 'move'; readonly target: Target | null }

const TYPING_MS = 600
const PAGE = 10

/** Letters that are typed one after the other, until a pause. */
export interface Typed {
  readonly text: string
  readonly at: number
}

/** The step of a key at a line; null where the tree does nothing. Arrows to the sides follow the writing direction. */
export function stepOf(
  { key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent,
  { lines, index, isRightToLeft }: { lines: readonly Line[]; index: number; isRightToLeft: boolean },
): TreeStep | null {
  const line = lines[index]
  if (line === undefined || ctrlKey || metaKey) return null
  const arrow = isRightToLeft ? (TURNED[key] ?? key) : key
  if (altKey) return shiftKey && arrow.startsWith('Arrow') ? moveOf(arrow, lines, index) : null
  const go = (to: number): TreeStep => ({ kind: 'go', index: Math.max(0, Math.min(lines.length - 1, to)) })
  switch (arrow) {
    case 'ArrowDown':
      return go(index + 1)
    case 'ArrowUp':
      return go(index - 1)
    case 'PageDown':
      return go(index + PAGE)
    case 'PageUp':
      return go(index - PAGE)
    case 'Home':
      return go(0)
    case 'End':
      return go(lines.length - 1)
    case 'ArrowRight':
      if (line.page === null || line.page._childCount === 0) return null
      return line.isOpen ? go(index + 1) : { kind: 'open' }
    case 'ArrowLeft':
      if (line.isOpen) return { kind: 'close' }
      return go(Math.max(0, indexOfParent(lines, index)))
    case 'Enter':
      return { kind: 'edit' }
    default:
      return null
  }
}

const TURNED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

function indexOfParent(lines: readonly Line[], index: number): number {
  return lines.findIndex(({ page }) => page !== null && page.aposDocId === lines[index]?.parent)
}

/** Among its siblings, out to the level of its parent, or into the page before it. */
function moveOf(arrow: string, lines: readonly Line[], index: number): TreeStep {
  const line = lines[index]
  const sibling = (step: number) =>
    lines.find((one) => one.parent === line?.parent && one.index === (line?.index ?? 0) + step)?.page ?? null
  const to = (docId: string | undefined, position: Target['position']): TreeStep => ({
    kind: 'move',
    target: docId === undefined ? null : { docId, position },
  })
  if (arrow === 'ArrowUp') return to(sibling(-1)?.aposDocId, 'before')
  if (arrow === 'ArrowDown') return to(sibling(1)?.aposDocId, 'after')
  if (arrow === 'ArrowRight') return to(sibling(-1)?.aposDocId, 'lastChild')
  const parent = lines[indexOfParent(lines, index)]
  return to(parent?.page && parent.level > 1 ? parent.page.aposDocId : undefined, 'after')
}

/** The letters that were typed so far, with one more; null where the key is no letter. */
export function typedWith(
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  before: Typed | null,
  now: number,
): Typed | null {
  if (altKey || ctrlKey || metaKey || [...key].length !== 1) return null
  const text = before !== null && now - before.at < TYPING_MS ? before.text + key : key
  return text.trim() === '' ? null : { text: text.toLowerCase(), at: now }
}

/** The next line whose title begins with these letters, or -1. One letter again and again goes from line to line. */
export function lineBeginningWith(text: string, lines: readonly Line[], index: number): number {
  const isOneLetter = [...text].every((letter) => letter === text[0])
  const wanted = isOneLetter ? text.slice(0, 1) : text
  const start = isOneLetter ? index + 1 : index
  const order = lines.map((_, step) => (start + step) % lines.length)
  return order.find((one) => lines[one]?.page?.title.toLowerCase().startsWith(wanted)) ?? -1
}
