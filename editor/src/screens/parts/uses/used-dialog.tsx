import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { t } from '../../../words/words.ts'
import type { FoundUses } from './uses.ts'
import { UsesList } from './uses-list.tsx'

interface UsedDialogProps {
  readonly found: FoundUses
  /** How many documents are to be archived. */
  readonly count: number
  readonly onClose: () => void
  readonly onArchive: () => void
}

/** Says, before documents are archived, what uses them. */
export function UsedDialog({ found: { used, left, failure }, count, onClose, onArchive }: UsedDialogProps) {
  const [only, other] = used
  const title = only && count === 1 && other === undefined ? t.uses.archiveOne(only.title) : t.uses.archiveMany(count)
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t.frame.cancel}</Button>
          <Button kind="danger" onPress={onArchive}>
            {t.list.archive}
          </Button>
        </>
      }
    >
      {used.length > 0 && <p>{t.uses.archiveHelp}</p>}
      {used.map(({ docId, title, uses }) => (
        <section key={docId} aria-label={title}>
          <p>{t.uses.usedBy(title, uses.total)}</p>
          <UsesList uses={uses} />
        </section>
      ))}
      {left > 0 && <p>{t.uses.left(left)}</p>}
      {failure !== null && <p>{t.uses.failed(failure)}</p>}
    </Dialog>
  )
}
