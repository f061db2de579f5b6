import { useEffect } from 'preact/hooks'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import { useDraftChanges } from '../../data/unpublished-changes.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { ChangeList } from '../parts/changes/change-list.tsx'
import { LoadFailure } from '../parts/load-failure.tsx'

interface ChangesDialogProps {
  readonly draft: OpenDraft
  readonly onClose: () => void
}

/** The differences between the draft and what is published, word by word. */
export function ChangesDialog({ draft, onClose }: ChangesDialogProps) {
  const { saver } = draft
  useEffect(() => void saver.flush(), [saver])
  const changes = useDraftChanges(draft)
  return (
    <Dialog title={t.publishing.changes} size="large" onClose={onClose}>
      {changes.error !== null && <LoadFailure error={changes.error} onRetry={changes.retry} />}
      {changes.data === undefined && changes.error === null && <Skeleton rows={4} />}
      {changes.data?.compared === false && <p>{t.changes.neverPublished}</p>}
      {(changes.data === null || (changes.data?.compared && changes.data.rows.length === 0)) && <p>{t.changes.none}</p>}
      {changes.data && <ChangeList rows={changes.data.rows} />}
    </Dialog>
  )
}
