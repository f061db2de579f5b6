import type { ComponentChildren } from 'preact'
import { useEditor } from '../../../data/editor.ts'
import { requestPath } from '../../../data/locales.ts'
import { invalidate } from '../../../data/query.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { BesideField } from '../../../fields/beside.tsx'
import { Button } from '../../../ui/button.tsx'
import { alarm } from '../../../ui/live.tsx'
import { note } from '../../../ui/toast.tsx'
import { t } from '../../../words/words.ts'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { type Original, OriginalContext } from './original.ts'
import { OriginalField } from './original-field.tsx'
import { useOriginal } from './use-original.ts'

interface TranslationProps {
  readonly draft: OpenDraft
  /** The locale whose copy stands beside the form. */
  readonly from: string
  readonly onEnd: () => void
  readonly children: ComponentChildren
}

/** A form with the same document of another locale beside it, field by field and block by block. */
export function Translation({ draft, from, onEnd, children }: TranslationProps) {
  const { data: original = null, error, retry } = useOriginal(draft, from)
  return (
    <OriginalContext.Provider value={original}>
      {original === null && error !== null && <LoadFailure error={error} onRetry={retry} />}
      {original !== null && <OriginalBar draft={draft} original={original} onEnd={onEnd} />}
      <BesideField.Provider value={OriginalField}>{children}</BesideField.Provider>
    </OriginalContext.Provider>
  )
}

interface OriginalBarProps {
  readonly draft: OpenDraft
  readonly original: Original
  readonly onEnd: () => void
}

function OriginalBar({ draft, original: { label, rows }, onEnd }: OriginalBarProps) {
  const markChecked = useMarkChecked(draft)
  return (
    <section class="q-original-bar" aria-label={t.locales.beside(label)}>
      <strong>{t.locales.beside(label)}</strong>
      <span>{rows.size === 0 ? t.locales.nothingChanged(label) : t.locales.changedSince(rows.size, label)}</span>
      <Button onPress={() => void markChecked()} offBecause={rows.size === 0 ? t.locales.nothingChanged(label) : null}>
        {t.locales.markChecked}
      </Button>
      <Button onPress={onEnd}>{t.locales.endBeside}</Button>
    </section>
  )
}

/** Saves a translation as it is: it is as new as its original then (§4.5). */
function useMarkChecked(draft: OpenDraft): () => Promise<void> {
  const editor = useEditor()
  return async () => {
    const { kind } = await draft.saver.flush()
    if (kind !== 'saved') return
    try {
      const options = { locale: editor.locale.peek(), mode: 'draft', ifMatch: draft.saver.etag } as const
      await editor.request('PATCH', requestPath(draft, editor), { ...options, body: { _incomplete: true } })
      note(t.locales.checked)
    } catch (error) {
      alarm(error instanceof Error ? error.message : String(error))
    }
    await draft.refresh()
    await invalidate(draft.typeName)
  }
}
