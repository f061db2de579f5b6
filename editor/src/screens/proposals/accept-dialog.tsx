import { useSignal } from '@preact/signals'
import type { ProposedRow } from '../../data/proposals.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { t } from '../../words/words.ts'
import { placeOf } from '../parts/changes/change-item.tsx'

interface AcceptDialogProps {
  readonly row: ProposedRow
  readonly onClose: () => void
  /** Whether it was accepted. */
  readonly onAccept: (value: string) => Promise<boolean>
}

/** Accepts a text after it was changed here. */
export function AcceptDialog({ row, onClose, onAccept }: AcceptDialogProps) {
  const value = useSignal(String(row.new ?? ''))
  return (
    <Dialog
      title={t.proposals.changeTitle}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t.frame.cancel}</Button>
          <Button
            kind="primary"
            onPress={async () => {
              if (await onAccept(value.value)) onClose()
            }}
          >
            {t.proposals.acceptChanged}
          </Button>
        </>
      }
    >
      <label class="q-proposal-value">
        {placeOf(row)}
        <textarea
          class="q-input"
          rows={6}
          value={value.value}
          onInput={(event) => {
            value.value = event.currentTarget.value
          }}
        />
      </label>
    </Dialog>
  )
}
