import { type ReadonlySignal, useSignal } from '@preact/signals'

/** The panels next to a form, and `form` for none. */
const SIDES = ['history', 'page', 'form'] as const

export type Side = (typeof SIDES)[number]

/**
 * The panel next to the form: it stands in the address. Null while nobody has chosen: the page then, where the document
 * has one and the window has room for both.
 */
export function useSide(): { readonly side: ReadonlySignal<Side | null>; show(side: Side | null): void } {
  const side = useSignal<Side | null>(sideIn(globalThis.location.search))
  const show = (next: Side | null) => {
    const url = new URL(globalThis.location.href)
    if (next === null) url.searchParams.delete('side')
    else url.searchParams.set('side', next)
    // Silently: it is the same screen, and Back leaves it.
    globalThis.history.replaceState(null, '', url)
    side.value = next
  }
  return { side, show }
}

function sideIn(query: string): Side | null {
  const asked = new URLSearchParams(query).get('side')
  return SIDES.find((side) => side === asked) ?? null
}
