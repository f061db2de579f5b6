import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import type { NotRestored } from '../../../data/version-requests.ts'
import { t } from '../../../words/words.ts'

interface LostValuesProps {
  readonly lost: readonly NotRestored[]
  readonly draft: OpenDraft
}

/** Values of a version that the site does not take any more, as text. */
export function LostValues({ lost, draft: { document } }: LostValuesProps) {
  const labelOf = (path: string) => document.node(document.pathOf(path))?.field?.label ?? path
  return (
    <>
      <p>{t.history.notRestored}</p>
      <dl class="q-lost">
        {lost.map(({ path, text }) => (
          <div key={path}>
            <dt>{labelOf(path)}</dt>
            <dd>{text ?? t.history.noText}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
