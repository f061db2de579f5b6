import type { ProposedRow } from '../../data/proposals.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { placeOf } from '../parts/changes/change-item.tsx'

interface RowActionsProps {
  readonly row: ProposedRow
  readonly mayDecide: boolean
  readonly onAccept: () => void
  readonly onRefuse: () => void
  /** Accepts it with another value. */
  readonly onChange: () => void
}

/** The decision about a change, or the buttons to decide; and the present value, where that is another one. */
export function RowActions({ row, mayDecide, onAccept, onRefuse, onChange }: RowActionsProps) {
  if (row.state !== 'open') return <p class="q-proposal-decided">{decisionOf(row)}</p>
  const { changedMeanwhile } = row
  return (
    <>
      {changedMeanwhile && (
        <div class="q-proposal-meanwhile">
          <p>{t.proposals.meanwhile}</p>
          {changedMeanwhile.map((one) => (
            <blockquote key={placeOf(one)}>{one.newText || t.proposals.empty}</blockquote>
          ))}
        </div>
      )}
      {mayDecide && (
        <fieldset class="q-proposal-actions" aria-label={placeOf(row)}>
          <Button onPress={onAccept}>{changedMeanwhile ? t.proposals.acceptAnyway : t.proposals.accept}</Button>
          {isText(row) && <Button onPress={onChange}>{t.proposals.change}</Button>}
          <Button onPress={onRefuse}>{t.proposals.refuse}</Button>
        </fieldset>
      )}
    </>
  )
}

function decisionOf({ state, decidedBy = '', refusal = '' }: ProposedRow): string {
  if (state === 'refused') return t.proposals.refused(decidedBy, refusal)
  return state === 'assisted' ? t.proposals.assisted(decidedBy) : t.proposals.accepted(decidedBy)
}

/** Plain text can be changed here; other values in the document. */
function isText({ kind, fieldType, new: value }: ProposedRow): boolean {
  return kind === 'leaf' && fieldType === 'string' && typeof value === 'string'
}
