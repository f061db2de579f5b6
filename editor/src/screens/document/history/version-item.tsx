import { useId } from 'preact/hooks'
import type { Version } from 'quire-client'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { t } from '../../../words/words.ts'
import { VersionKind } from '../../parts/changes/version-kind.tsx'
import { When } from '../../parts/when.tsx'
import { VersionDetails } from './version-details.tsx'

interface VersionItemProps {
  readonly version: Version
  readonly draft: OpenDraft
  /** All that are shown, newest first: it can be compared with them. */
  readonly others: readonly Version[]
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** One version, or a run of them: when, who, what it was; it opens to its changes. */
export function VersionItem({ version, draft, others, isOpen, onToggle }: VersionItemProps) {
  const id = useId()
  const { createdAt, updatedAt, author, label } = version
  return (
    <li class="q-version">
      <button
        type="button"
        class="q-version-button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={onToggle}
      >
        <span class="q-version-line">
          <When time={updatedAt ?? createdAt} /> <span>{author || t.history.service}</span>
          {version.live && <strong>{t.history.now}</strong>}
          {label !== undefined && <strong>“{label}”</strong>}
        </span>
        <span class="q-version-line">
          <VersionKind version={version} />
        </span>
      </button>
      {isOpen && (
        <div id={id} class="q-version-body">
          <VersionDetails version={version} draft={draft} others={others} />
        </div>
      )}
    </li>
  )
}
