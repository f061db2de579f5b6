import { ArrowDown, ArrowUp } from 'lucide'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../words/words.ts'

interface MoveButtonsProps {
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (by: 1 | -1, button: HTMLElement) => void
}

/** Moves one of several up and down. */
export function MoveButtons({ isFirst, isLast, onMove }: MoveButtonsProps) {
  return (
    <>
      <Button
        kind="quiet"
        label={t.blocks.moveUp}
        offBecause={isFirst ? t.blocks.isFirst : null}
        onPress={({ currentTarget }) => onMove(-1, currentTarget)}
      >
        <Icon of={ArrowUp} />
      </Button>
      <Button
        kind="quiet"
        label={t.blocks.moveDown}
        offBecause={isLast ? t.blocks.isLast : null}
        onPress={({ currentTarget }) => onMove(1, currentTarget)}
      >
        <Icon of={ArrowDown} />
      </Button>
    </>
  )
}
