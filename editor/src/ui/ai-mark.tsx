import { t } from '../words/words.ts'
import './ai-mark.css'

const SIGNS = { changed: '✦', assisted: '✧' } as const

/** That AI took part: `changed` where nobody touched it since, `assisted` where a person did. A sign and a word. */
export function AiMark({ ai }: { readonly ai: 'changed' | 'assisted' | false }) {
  if (ai === false) return null
  return (
    <span class="q-ai">
      <span aria-hidden="true">{SIGNS[ai]}</span> {ai === 'changed' ? t.changes.ai : t.changes.assisted}
    </span>
  )
}
