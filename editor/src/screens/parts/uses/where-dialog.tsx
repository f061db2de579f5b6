import { useEditor } from '../../../data/editor.ts'
import { useQuery } from '../../../data/query.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { t } from '../../../words/words.ts'
import { LoadFailure } from '../load-failure.tsx'
import { MOST_USES, readUses, type UseSubject } from './uses.ts'
import { UsesList } from './uses-list.tsx'

interface WhereDialogProps {
  readonly of: UseSubject
  readonly onClose: () => void
}

/** The documents that use one, as links. */
export function WhereDialog({ of, onClose }: WhereDialogProps) {
  const editor = useEditor()
  const found = useQuery(['documents', 'uses', editor.locale.value, of.path, of.docId], (signal) =>
    readUses(editor, of, { perPage: MOST_USES, signal }),
  )
  return (
    <Dialog title={t.uses.whereOf(of.title)} onClose={onClose}>
      {found.error !== null && <LoadFailure error={found.error} onRetry={found.retry} />}
      {found.data === undefined && found.error === null && <Skeleton rows={3} />}
      {found.data?.total === 0 && <p>{t.uses.unused}</p>}
      {found.data && found.data.total > 0 && (
        <>
          <p>{t.uses.count(found.data.total)}</p>
          <UsesList uses={found.data} />
        </>
      )}
    </Dialog>
  )
}
