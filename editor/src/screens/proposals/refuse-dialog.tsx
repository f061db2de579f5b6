import { useSignal } from '@preact/signals'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'

interface RefuseDialogProps {
  readonly onClose: () => void
  /** Whether it was refused. */
  readonly onRefuse: (reason: string) => Promise<boolean>
}

const MOST_CHARACTERS = 5000

/** Asks why all that is open is refused. */
export function RefuseDialog({ onClose, onRefuse }: RefuseDialogProps) {
  const reason = useSignal('')
  const refuse = async () => {
    if (await onRefuse(reason.value)) onClose()
  }
  return (
    <Dialog
      title={t.proposals.refuseTitle}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t.frame.cancel}</Button>
          <Button kind="danger" onPress={() => void refuse()}>
            {t.proposals.refuse}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void refuse()
        }}
      >
        <TextField
          label={t.proposals.reason}
          value={reason.value}
          help={t.proposals.reasonHelp}
          attributes={{ maxLength: MOST_CHARACTERS }}
          onInput={(value) => {
            reason.value = value
          }}
        />
      </form>
    </Dialog>
  )
}
