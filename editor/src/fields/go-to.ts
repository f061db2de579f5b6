import { type Signal, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext, useEffect } from 'preact/hooks'
import type { Path } from '../model/form.ts'

/** Tabs only lead to what is meant. */
const FOCUSABLE =
  'input, select, textarea, [contenteditable="true"], button:not([role="tab"]), [tabindex="0"]:not([role="tab"])'
/** How many frames a place may take to be drawn, with what is around it opened first. */
const FRAMES = 12

/** The place in the form that somebody wants to see: whatever holds it opens, and its control gets the focus. */
export const GoTo = createContext<Signal<Path | null>>(signal(null))

/** Calls `open`, with the place that is wanted, when that lies in `path`. */
export function useGoTo(path: Path, open: (wanted: Path) => void): void {
  const wanted = useContext(GoTo)
  const { value } = wanted
  useEffect(() => {
    if (value !== null && path.every((name, index) => name === value[index])) open(value)
  }, [value])
}

/** Puts the focus into the field at a path, or what lies nearest around it, once it is drawn. */
export function focusField(path: Path): void {
  const look = (frames: number) => {
    const place = elementAt(path)
    if (place === null && frames > 0) requestAnimationFrame(() => look(frames - 1))
    else focusIn(place ?? nearest(path))
  }
  requestAnimationFrame(() => look(FRAMES))
}

/** The element of the field, item or block at a path. */
export function elementAt(path: Path): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path.join('.'))}"]`)
}

/** Puts the focus on the first thing in an element that can have it, or the element itself. */
export function focusIn(element: HTMLElement | null): void {
  const target = element?.querySelector<HTMLElement>(FOCUSABLE) ?? element
  target?.focus()
}

function nearest(path: Path): HTMLElement | null {
  const lengths = path.map((_, index) => path.length - 1 - index)
  const places = lengths.map((length) => (length > 0 ? elementAt(path.slice(0, length)) : null))
  return places.find((place) => place !== null) ?? null
}
