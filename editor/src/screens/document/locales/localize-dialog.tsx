import { useSignal } from '@preact/signals'
import { useEditor } from '../../../data/editor.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Tick } from '../../../ui/tick.tsx'
import { t } from '../../../words/words.ts'
import { documentPath } from '../../parts/document-path.ts'
import { LocalizeOptionsFields } from './localize-options.tsx'
import { Overwritten } from './overwritten.tsx'
import type { LocaleState } from './use-locale-states.ts'
import { type Localized, type LocalizeOptions, type ShownCopies, useLocalize } from './use-localize.ts'

interface LocalizeDialogProps {
  readonly draft: OpenDraft
  /** The other locales. */
  readonly states: readonly LocaleState[]
  readonly onClose: () => void
}

/** Copies a document to other locales; what would be overwritten there is shown first. */
export function LocalizeDialog({ draft, states, onClose }: LocalizeDialogProps) {
  const chosen = useSignal<ReadonlySet<string>>(new Set(states.filter(isMissing).map(({ locale }) => locale)))
  const options = useSignal<LocalizeOptions>({ related: 'media', subtree: false, publish: false })
  const { localize, results, isBusy } = useLocalize(draft)
  const shown = useSignal<ShownCopies>(new Map())
  const title = String(draft.latest.value?.title || t.list.untitled)
  const toggle = (locale: string) => {
    const next = new Set(chosen.value)
    if (!next.delete(locale)) next.add(locale)
    chosen.value = next
  }
  if (results.value !== null)
    return (
      <Dialog title={t.locales.localizeTitle(title)} onClose={onClose}>
        <Results draft={draft} results={results.value} />
      </Dialog>
    )
  const wanted = states.filter(({ locale }) => chosen.value.has(locale))
  const isShown = wanted.every((state) => isMissing(state) || shown.value.has(state.locale))
  const reason = isShown ? null : t.locales.notShownYet
  return (
    <Dialog
      title={t.locales.localizeTitle(title)}
      size="large"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t.frame.cancel}</Button>
          <Button
            kind="primary"
            offBecause={wanted.length === 0 ? t.locales.chooseLocale : reason}
            onPress={() => {
              if (!isBusy.peek()) void localize(wanted, options.peek(), shown.peek())
            }}
          >
            {t.locales.localize}
          </Button>
        </>
      }
    >
      <fieldset>
        <legend>{t.locales.to}</legend>
        {states.map((state) => (
          <div key={state.locale} class="q-localize-locale">
            <Tick
              type="checkbox"
              label={state.label}
              checked={chosen.value.has(state.locale)}
              onChange={() => toggle(state.locale)}
            />
            {chosen.value.has(state.locale) && state.copy !== null && (
              <Overwritten
                draft={draft}
                state={state}
                onShown={(updatedAt) => {
                  shown.value = new Map(shown.peek()).set(state.locale, updatedAt)
                }}
              />
            )}
          </div>
        ))}
      </fieldset>
      <LocalizeOptionsFields
        draft={draft}
        options={options.value}
        onChange={(next) => {
          options.value = next
        }}
      />
    </Dialog>
  )
}

function isMissing({ copy }: LocaleState): boolean {
  return copy === null
}

function Results({ draft, results }: { readonly draft: OpenDraft; readonly results: readonly Localized[] }) {
  const { link } = useEditor()
  const path = documentPath(draft.typeName, draft.type, draft.saver.place.value.docId)
  return (
    <ul>
      {results.map(({ locale, label, others, message }) => (
        <li key={locale}>
          {message === null ? t.locales.localized(label, others) : t.locales.failed(label, message)}{' '}
          {message === null && (
            <a href={link(path, { locale, with: draft.saver.place.value.locale ?? '' })}>{t.locales.open(label)}</a>
          )}
        </li>
      ))}
    </ul>
  )
}
