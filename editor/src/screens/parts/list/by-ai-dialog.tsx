import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { t } from '../../../words/words.ts'

interface ByAiDialogProps {
  /** Of the documents that AI has saved last. */
  readonly titles: readonly string[]
  readonly onClose: () => void
  readonly onPublish: () => void
}

/** Says, before documents are public, in which of them nobody has touched what AI has written. */
export function ByAiDialog({ titles, onClose, onPublish }: ByAiDialogProps) {
  return (
    <Dialog
      title={t.publishing.byAi}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t.frame.cancel}</Button>
          <Button kind="primary" onPress={onPublish}>
            {t.publishing.publish}
          </Button>
        </>
      }
    >
      <p>{t.publishing.untouchedDocuments(titles.length)}</p>
      <ul>
        {titles.map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ul>
    </Dialog>
  )
}
