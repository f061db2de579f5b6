import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ListActions } from '../fields/lists/list-actions.ts'
import { announce } from '../ui/live.tsx'
import { t } from '../words/words.ts'
import type { BlockKind } from './block-kinds.ts'

/** The area that a block stands in, as the areas inside of that block see it. */
export interface AreaAround {
  readonly actions: ListActions
  readonly kinds: readonly BlockKind[]
  /** The block. */
  readonly holder: string
  /** The area further out; null where there is none. */
  readonly around: AreaAround | null
}

/** The surroundings of an area. */
export const Around = createContext<AreaAround | null>(null)

/** Actions of an area whose blocks can be moved into the areas around it: the nearest that takes one of their type. */
export function useMovingOut(actions: ListActions, titleOf: (id: string) => string): ListActions {
  const around = useContext(Around)
  const { items } = actions
  if (around === null || actions.lock !== null) return actions
  return {
    ...actions,
    outOf(id) {
      const target = placeFor(around, items.item(id).widgetType)
      if (target === null) return null
      return () => {
        const title = titleOf(id)
        const value = items.item(id).value.peek()
        const at = target.actions.items.ids.peek().indexOf(target.holder) + 1
        items.remove(id)
        target.actions.add(value, at)
        announce(t.blocks.movedOut(title, target.actions.items.field.label))
      }
    },
  }
}

function placeFor(around: AreaAround | null, type: string | null): AreaAround | null {
  if (around === null || type === null) return null
  const { actions, kinds } = around
  const isTaken = actions.fullBecause() === null && kinds.some((kind) => kind.type === type)
  return isTaken ? around : placeFor(around.around, type)
}
