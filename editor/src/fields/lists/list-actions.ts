import { useRef } from 'preact/hooks'
import type { JsonObject } from 'quire-client'
import type { Items } from '../../model/form.ts'
import { afterDrawing } from '../../ui/after-drawing.ts'
import { announce } from '../../ui/live.tsx'
import { note } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { elementAt, focusIn } from '../go-to.ts'
import { lockOf } from '../leaf-field.tsx'

/** Actions on the items of a list; each says what it did, and keeps the focus at hand. */
export interface ListActions {
  readonly items: Items
  /** Why nothing can be changed; null where it can. */
  readonly lock: string | null
  /** Why nothing can be added; null where something can. */
  fullBecause(): string | null
  add(value: JsonObject, at: number): void
  /** By one: −1 towards the beginning. */
  move(id: string, by: -1 | 1): void
  duplicate(id: string): void
  remove(id: string): void
  /** Puts another item in the place of one. */
  replace(id: string, value: JsonObject): void
  /** Moves an item into the list around this one; null, or absent, where none takes it. */
  outOf?(id: string): (() => void) | null
  /** Whether somebody has just put it there: it begins open. */
  isNew(id: string): boolean
}

/** The actions of a list; `titleOf` names an item in sentences. */
export function useListActions(items: Items, titleOf: (id: string) => string): ListActions {
  const made = useRef(new Set<string>())
  const lock = lockOf(items)
  const most = boundOf(items, 'max')
  const fullBecause = () => lock ?? (most !== null && items.ids.value.length >= most ? t.blocks.atMost(most) : null)
  const put = (id: string) => {
    made.current.add(id)
    afterDrawing(() => focusNew(items, id))
  }
  return {
    items,
    lock,
    fullBecause,
    isNew: (id) => made.current.has(id),
    add(value, at) {
      if (fullBecause() !== null) return
      const id = items.insert(value, at)
      put(id)
      announce(t.blocks.added(titleOf(id)))
    },
    move(id, by) {
      const { length } = items.ids.peek()
      const to = items.ids.peek().indexOf(id) + by
      if (lock !== null || to < 0 || to >= length) return
      const focused = document.activeElement
      items.move(id, to)
      announce(t.blocks.moved(titleOf(id), to + 1, length))
      afterDrawing(() => focused instanceof HTMLElement && focused.focus())
    },
    replace(id, value) {
      if (lock !== null) return
      const at = items.ids.peek().indexOf(id)
      items.remove(id)
      const replacing = items.insert(value, at)
      put(replacing)
      announce(t.blocks.added(titleOf(replacing)))
    },
    duplicate(id) {
      if (fullBecause() !== null) return
      const title = titleOf(id)
      put(items.duplicate(id))
      announce(t.blocks.duplicated(title))
    },
    remove(id) {
      if (lock !== null) return
      const at = items.ids.peek().indexOf(id)
      const title = titleOf(id)
      const value = items.item(id).value.peek()
      items.remove(id)
      const next = items.ids.peek()[Math.min(at, items.ids.peek().length - 1)]
      afterDrawing(() => focusIn(elementAt(next === undefined ? items.path : [...items.path, next])))
      note(t.blocks.removed(title), { label: t.blocks.undo, run: () => put(items.insert(value, at)) })
    },
  }
}

/** How many items a list must or may have; null for no bound. */
export function boundOf({ field }: Pick<Items, 'field'>, name: 'min' | 'max'): number | null {
  const bound = field.options[name]
  return typeof bound === 'number' ? bound : null
}

/** A new item is filled in at once. */
function focusNew({ path }: Items, id: string): void {
  const item = elementAt([...path, id])
  const body = item?.querySelector<HTMLElement>('.q-item-body')
  focusIn(body?.querySelector('input, select, textarea, [contenteditable="true"], button') ? body : item)
}
