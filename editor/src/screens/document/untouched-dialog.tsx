import { useSignal } from '@preact/signals'
import type { ChangeRow } from 'quire-client'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { t } from '../../words/words.ts'
import { ChangeList } from '../parts/changes/change-list.tsx'

interface UntouchedDialogProps {
  /** The changes that AI has written and nobody touched since. */
  readonly rows: readonly ChangeRow[]
  readonly onClose: () => void
  readonly onPublish: () => void
}

/** Says, before it is public, what AI has written and nobody touched. */
export function UntouchedDialog({ rows, onClose, onPublish }: UntouchedDialogProps) {
  const isReading = useSignal(false)
  return (
    <Dialog
      title={t.publishing.byAi}
      size={isReading.value ? 'large' : 'small'}
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
      <p>{t.publishing.untouched(rows.length)}</p>
      {isReading.value ? (
        <ChangeList rows={rows} />
      ) : (
        <Button
          onPress={() => {
            isReading.value = true
          }}
        >
          {t.publishing.readThem}
        </Button>
      )}
    </Dialog>
  )
}
