import { ArrowDown, ArrowUp, Copy, CornerLeftUp, type IconNode, Trash2 } from 'lucide'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../words/words.ts'
import type { ListActions } from './list-actions.ts'

interface ItemButtonsProps {
  readonly id: string
  readonly actions: ListActions
}

/** Moves an item, duplicates and removes it. */
export function ItemButtons({ id, actions }: ItemButtonsProps) {
  const { items, lock } = actions
  const ids = items.ids.value
  const moveOut = actions.outOf?.(id) ?? null
  return (
    <span class="q-item-buttons">
      <ItemButton
        label={t.blocks.moveUp}
        icon={ArrowUp}
        offBecause={lock ?? (ids[0] === id ? t.blocks.isFirst : null)}
        onPress={() => actions.move(id, -1)}
      />
      <ItemButton
        label={t.blocks.moveDown}
        icon={ArrowDown}
        offBecause={lock ?? (ids.at(-1) === id ? t.blocks.isLast : null)}
        onPress={() => actions.move(id, 1)}
      />
      {moveOut && <ItemButton label={t.blocks.moveOut} icon={CornerLeftUp} offBecause={null} onPress={moveOut} />}
      <ItemButton
        label={t.blocks.duplicate}
        icon={Copy}
        offBecause={actions.fullBecause()}
        onPress={() => actions.duplicate(id)}
      />
      <ItemButton label={t.blocks.remove} icon={Trash2} offBecause={lock} onPress={() => actions.remove(id)} />
    </span>
  )
}

interface ItemButtonProps {
  readonly label: string
  readonly icon: IconNode
  readonly offBecause: string | null
  readonly onPress: () => void
}

function ItemButton({ label, icon, offBecause, onPress }: ItemButtonProps) {
  return (
    <Button kind="quiet" label={label} offBecause={offBecause} onPress={onPress}>
      <Icon of={icon} />
    </Button>
  )
}
