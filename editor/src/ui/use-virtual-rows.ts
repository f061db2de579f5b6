import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo, useReducer } from 'preact/hooks'

const MORE_ROWS = 12
/** The height of the top bar, in pixels. */
const COVERED = 72

/** The rows that are in the document, and the heights of what is left out above and below them, in pixels. */
export interface VirtualRows {
  readonly first: number
  readonly end: number
  readonly above: number
  readonly below: number
  /** Brings a row into the document and into view. */
  show(index: number): void
}

/** Keeps only the rows in the document that can be seen as the page scrolls, and a few more. All are `height` pixels high. */
export function useVirtualRows(count: number, height: number, container: RefObject<HTMLElement | null>): VirtualRows {
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const virtual = useMemo(
    () =>
      new Virtualizer<Window, Element>({
        count,
        estimateSize: () => height,
        getScrollElement: () => window,
        observeElementRect: observeWindowRect,
        observeElementOffset: observeWindowOffset,
        scrollToFn: windowScroll,
        overscan: MORE_ROWS,
        scrollPaddingStart: COVERED,
        scrollPaddingEnd: height,
        onChange: () => redraw(undefined),
      }),
    [height],
  )
  const top = container.current === null ? 0 : container.current.getBoundingClientRect().top + window.scrollY
  virtual.setOptions({ ...virtual.options, count, scrollMargin: top })
  useLayoutEffect(() => virtual._didMount(), [virtual])
  useLayoutEffect(() => virtual._willUpdate())
  const rows = virtual.getVirtualItems()
  const first = rows[0]?.index ?? 0
  const end = (rows.at(-1)?.index ?? -1) + 1
  return {
    first,
    end,
    above: first * height,
    below: (count - end) * height,
    show: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  }
}
