import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { t } from '../../../words/words.ts'
import type { LocalizeOptions, Related } from './use-localize.ts'

interface OptionsProps {
  readonly draft: OpenDraft
  readonly options: LocalizeOptions
  readonly onChange: (options: LocalizeOptions) => void
}

/** What comes along with a copy. */
export function LocalizeOptionsFields({ draft: { type }, options, onChange }: OptionsProps) {
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
          <label key={related} class="q-choice">
            <input
              type="radio"
              name="related"
              checked={options.related === related}
              onChange={() => onChange({ ...options, related })}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {type.family === 'page' && (
        <label class="q-choice">
          <input
            type="checkbox"
            checked={options.subtree}
            onChange={() => onChange({ ...options, subtree: !options.subtree })}
          />
          {t.locales.subtree}
        </label>
      )}
      {publish === undefined ? (
        <label class="q-choice">
          <input
            type="checkbox"
            checked={options.publish}
            onChange={() => onChange({ ...options, publish: !options.publish })}
          />
          {t.locales.publishThere}
        </label>
      ) : (
        <p>{t.publishing.editorsPublish}</p>
      )}
    </>
  )
}
