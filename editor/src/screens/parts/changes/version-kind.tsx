import type { Version } from 'quire-client'
import { AiMark } from '../../../ui/ai-mark.tsx'
import { t } from '../../../words/words.ts'

/** The kind of a version: a publication, a restored one, so many changes, with or without AI. In signs and words. */
export function VersionKind({ version }: { readonly version: Version }) {
  const { mode, restoredFrom, changeCount, versionIds, ai, proposal } = version
  const isRun = versionIds !== undefined && versionIds.length > 1
  return (
    <>
      {mode === 'published' && (
        <span class="q-state q-state--published">
          <span aria-hidden="true">✓</span> {t.history.wasPublished}
        </span>
      )}
      {restoredFrom !== undefined && (
        <span>
          <span aria-hidden="true">↺</span> {t.history.wasRestored}
        </span>
      )}
      {proposal && <span>{t.history.wasProposed(proposal.author)}</span>}
      {changeCount > 0 && <span>{t.history.changes(changeCount)}</span>}
      {isRun && <span>{t.history.run(versionIds.length)}</span>}
      <AiMark ai={ai ? (isRun ? 'assisted' : 'changed') : false} />
    </>
  )
}
