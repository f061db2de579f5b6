import { useSignal } from '@preact/signals'
import { useEditor } from '../../../data/editor.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'

/** The locale whose copy stands beside the form: a part of the address. Null for none. */
export function useBeside({ type }: OpenDraft): {
  readonly locale: string | null
  show(locale: string | null): void
} {
  const { locale, schema } = useEditor()
  const beside = useSignal(new URLSearchParams(globalThis.location.search).get('with'))
  const { value: from } = beside
  const isKnown = from !== null && from !== locale.value && Object.hasOwn(schema.value.site.locales, from)
  const show = (other: string | null) => {
    const url = new URL(globalThis.location.href)
    if (other === null) url.searchParams.delete('with')
    else url.searchParams.set('with', other)
    // Silently: it is the same screen, and Back leaves it.
    globalThis.history.replaceState(null, '', url)
    beside.value = other
  }
  return { locale: type.localized && isKnown ? from : null, show }
}
