import { useEffect, useRef } from 'preact/hooks'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { focusIn } from '../../../fields/go-to.ts'
import { type Mark, markKey } from '../../../inside/protocol.ts'
import { markAt } from '../../../model/page-parts.ts'
import type { FramedPage } from './use-framed-page.ts'

const FORM = '.q-document-form'

/** Lets the page show the part whose field has the focus in the form. */
export function useFocusShown({ document: { root }, latest }: OpenDraft, { send }: FramedPage) {
  const shown = useRef<Mark | null>(null)
  const last = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      const element = target instanceof HTMLElement ? target : null
      const place = element?.closest<HTMLElement>(`${FORM} [data-path]`)
      if (!place) return
      last.current = element
      const mark = markAt(root, String(latest.peek()?._id), place.dataset.path?.split('.') ?? [])
      if (keyOf(mark) !== keyOf(shown.current)) send({ kind: 'show', mark })
      shown.current = mark
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [root])
  return {
    /** In a page that was just loaded. */
    show: () => shown.current && send({ kind: 'show', mark: shown.current }),
    /** The keyboard goes back to where it was in the form. */
    back: () => focusIn(last.current?.isConnected ? last.current : document.querySelector<HTMLElement>(FORM)),
  }
}

function keyOf(mark: Mark | null): string {
  return mark === null ? '' : markKey(mark)
}
