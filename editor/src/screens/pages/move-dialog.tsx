import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useEditor } from '../../data/editor.ts'
import { type Answered, useQuery } from '../../data/query.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Tick } from '../../ui/tick.tsx'
import { t } from '../../words/words.ts'
import type { Position, Target } from './branches.ts'
import type { MoveCheck, PageRequests } from './page-requests.ts'
import type { PageRow } from './page-row.ts'
import type { Choice } from './target-choice.ts'
import { TargetPicker } from './target-picker.tsx'

const POSITIONS: readonly Position[] = ['before', 'after', 'firstChild', 'lastChild']

interface MoveDialogProps {
  readonly page: PageRow
  readonly requests: PageRequests
  readonly onClose: () => void
  readonly onMove: (target: Target) => void
}

/** Asks where a page goes, and says what this changes before anything is done. */
export function MoveDialog({ page, requests, onClose, onMove }: MoveDialogProps) {
  const { locale } = useEditor()
  const chosen = useSignal<Choice | null>(null)
  const position = useSignal<Position>('lastChild')
  const name = useId()
  const target = chosen.value === null ? null : { docId: chosen.value.docId, position: position.value }
  const check = useQuery(['tree', 'move', locale.value, page.aposDocId, target], (signal) =>
    target === null ? Promise.resolve(null) : requests.checkMove(page.aposDocId, target, signal),
  )
  const isKnown = check.error === null && check.data && !check.isRenewed
  return (
    <Dialog
      title={t.tree.moveTitle(page.title)}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t.frame.cancel}</Button>
          <Button
            kind="primary"
            onPress={() => target && onMove(target)}
            offBecause={target === null ? t.tree.chooseFirst : isKnown ? null : outcomeOf(check, target)}
          >
            {t.tree.moveIt}
          </Button>
        </>
      }
    >
      <div class="q-page-form">
        <TargetPicker requests={requests} moving={page} chosen={chosen} />
        <fieldset class="q-target-positions">
          <legend class="q-field-label">{t.tree.position}</legend>
          {POSITIONS.map((one) => (
            <Tick
              key={one}
              type="radio"
              name={name}
              label={t.tree.positionOf(one, chosen.value?.title ?? '…')}
              checked={position.value === one}
              onChange={() => {
                position.value = one
              }}
            />
          ))}
        </fieldset>
        <p role="status" class={check.error === null ? 'q-move-outcome' : 'q-move-outcome q-move-outcome--refused'}>
          {target !== null && outcomeOf(check, target)}
        </p>
      </div>
    </Dialog>
  )
}

/** The outcome of the move as the service reports it. */
function outcomeOf({ data, error, isRenewed }: Answered<MoveCheck | null>, target: Target): string {
  if (error !== null) return error instanceof Error ? error.message : String(error)
  if (!data || isRenewed) return t.tree.checking
  return target.docId === '_archive' ? t.tree.toArchive : t.tree.renamed(data.slug, data.renamed)
}
