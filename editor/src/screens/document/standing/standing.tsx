import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { useDraftChanges } from '../../../data/unpublished-changes.ts'
import { StateMark, stateOf } from '../../../ui/state-mark.tsx'
import { t } from '../../../words/words.ts'
import { When } from '../../parts/when.tsx'

/** Draft, Published, Archived, or how many changes. */
export function Standing({ draft }: { readonly draft: OpenDraft }) {
  const changes = useDraftChanges(draft).data
  const document = draft.latest.value ?? {}
  const state = stateOf(document)
  const published = document.lastPublishedAt
  if (state === 'modified' && changes?.compared)
    return (
      <span class="q-state q-state--modified">
        <span aria-hidden="true">◐</span> {t.publishing.changeCount(changes.rows.length)}
      </span>
    )
  return (
    <span>
      <StateMark state={state} /> {state === 'published' && <When time={String(published)} />}
    </span>
  )
}
