import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { t } from '../../../words/words.ts'

/** A document that could not be changed, and why. */
export interface Failed {
  readonly id: string
  readonly title: string
  readonly message: string
}

interface FailedDialogProps {
  readonly rows: readonly Failed[]
  readonly onClose: () => void
  readonly onRetry: () => void
}

/** The failures and their reasons, with a way to try again. */
export function FailedDialog({ rows, onClose, onRetry }: FailedDialogProps) {
  return (
    <Dialog
      title={t.list.failed(rows.length)}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t.frame.close}</Button>
          <Button kind="primary" onPress={onRetry}>
            {t.list.tryThese}
          </Button>
        </>
      }
    >
      <ul class="q-bulk-failed">
        {rows.map(({ id, title, message }) => (
          <li key={id}>
            <strong>{title}</strong> {message}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
