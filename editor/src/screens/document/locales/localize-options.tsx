import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { Tick } from '../../../ui/tick.tsx'
import { t } from '../../../words/words.ts'
import type { LocalizeOptions, Related } from './use-localize.ts'

interface OptionsProps {
  readonly draft: OpenDraft
  readonly options: LocalizeOptions
  readonly onChange: (options: LocalizeOptions) => void
}

/** The options of a copy: what comes along, and whether it is published. */
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
