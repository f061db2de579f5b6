import { useEditor } from '../../../data/editor.ts'
import type { ReplacedText } from '../../../data/translation.ts'
import { plainText } from '../../../model/plain-text.ts'
import { t } from '../../../words/words.ts'

interface ReplacedTextsProps {
  readonly texts: readonly ReplacedText[]
  /** Of the translations. */
  readonly locale: string
}

/** Translations that others replace: both, side by side. */
export function ReplacedTexts({ texts, locale }: ReplacedTextsProps) {
  const { schema } = useEditor()
  const own = {
    lang: locale.replaceAll('_', '-'),
    dir: schema.value.site.locales[locale]?.direction ?? 'auto',
  } as const
  return (
    <ul>
      {texts.map(({ path, label, isChanged, ...both }) => {
        const { before, after } = inWords(both)
        return (
          <li key={path}>
            <strong>{label}</strong> {isChanged && <em class="q-translation-changed">{t.translation.changedSince}</em>}
            <dl class="q-translation-texts">
              <dt>{t.translation.before}</dt>
              <dd {...own}>
                <del>{before}</del>
              </dd>
              <dt>{t.translation.after}</dt>
              <dd {...own}>
                <ins>{after}</ins>
              </dd>
            </dl>
          </li>
        )
      })}
    </ul>
  )
}

/** Two texts without their tags, unless nothing else differs. */
function inWords({ before, after }: Pick<ReplacedText, 'before' | 'after'>): Pick<ReplacedText, 'before' | 'after'> {
  if (!/<\/[a-z]/.test(before + after)) return { before, after }
  const words = { before: plainText({ before }), after: plainText({ after }) }
  return words.before === words.after ? { before, after } : words
}
