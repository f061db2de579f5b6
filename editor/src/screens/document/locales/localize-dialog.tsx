import { useSignal } from '@preact/signals'
import { useEditor } from '../../../data/editor.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Tick } from '../../../ui/tick.tsx'
import { t } from '../../../words/words.ts'
import { documentPath } from '../../parts/document-path.ts'
import { Overwritten } from './overwritten.tsx'
import type { LocaleState } from './use-locale-states.ts'
import { type Localized, type LocalizeOptions, type Related, useLocalize } from './use-localize.ts'

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
            offBecause={wanted.length === 0 ? t.locales.chooseLocale : null}
            onPress={() => {
              if (!isBusy.peek()) void localize(wanted, options.peek())
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
            {chosen.value.has(state.locale) && state.copy !== null && <Overwritten draft={draft} state={state} />}
          </div>
        ))}
      </fieldset>
      <Options
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

interface OptionsProps {
  readonly draft: OpenDraft
  readonly options: LocalizeOptions
  readonly onChange: (options: LocalizeOptions) => void
}

function Options({ draft: { type }, options, onChange }: OptionsProps) {
  const kinds: readonly [Related, string][] = [
    ['media', t.locales.relatedMedia],
    ['all', t.locales.relatedAll],
    ['none', t.locales.relatedNone],
  ]
  const { publish } = type.denied
  return (
    <>
      <fieldset>
        <legend>{t.locales.related}</legend>
        {kinds.map(([related, label]) => (
          <Tick
            key={related}
            type="radio"
            name="related"
            label={label}
            checked={options.related === related}
            onChange={() => onChange({ ...options, related })}
          />
        ))}
      </fieldset>
      {type.family === 'page' && (
        <Tick
          type="checkbox"
          label={t.locales.subtree}
          checked={options.subtree}
          onChange={() => onChange({ ...options, subtree: !options.subtree })}
        />
      )}
      {publish === undefined ? (
        <Tick
          type="checkbox"
          label={t.locales.publishThere}
          checked={options.publish}
          onChange={() => onChange({ ...options, publish: !options.publish })}
        />
      ) : (
        <p>{t.publishing.editorsPublish}</p>
      )}
    </>
  )
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
