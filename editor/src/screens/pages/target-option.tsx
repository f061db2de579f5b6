import { ChevronRight } from 'lucide'
import { useId } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../words/words.ts'
import type { Choice } from './target-choice.ts'

interface TargetOptionProps {
  /** Of the group that it belongs to. */
  readonly name: string
  readonly choice: Choice
  readonly chosenId: string | null
  /** Where it stands. */
  readonly detail?: string
  /** Why it cannot be chosen. */
  readonly reason: string | null
  readonly isInside?: boolean
  readonly onChoose: (choice: Choice) => void
  /** Shows the pages below it. */
  readonly onGoInto?: (() => void) | null
}

/** One page that may be chosen. */
export function TargetOption({
  name,
  choice,
  chosenId,
  detail,
  reason,
  isInside,
  onChoose,
  onGoInto,
}: TargetOptionProps) {
  const id = useId()
  const { docId, title } = choice
  const notes = [detail, reason].filter(Boolean).join(' · ')
  return (
    <div class={isInside ? 'q-target-option q-target-option--inside' : 'q-target-option'}>
      <input
        id={id}
        type="radio"
        name={name}
        checked={docId === chosenId}
        aria-disabled={reason === null ? undefined : 'true'}
        aria-describedby={notes === '' ? undefined : `${id}-notes`}
        onClick={(event) => {
          if (reason !== null) event.preventDefault()
        }}
        onChange={() => {
          if (reason === null) onChoose(choice)
        }}
      />
      <label for={id}>{title}</label>
      {notes !== '' && <small id={`${id}-notes`}>{notes}</small>}
      {onGoInto && (
        <Button kind="quiet" label={t.tree.goInto(title)} onPress={onGoInto}>
          <Icon of={ChevronRight} />
        </Button>
      )}
    </div>
  )
}
