import { type ReadonlySignal, useSignal } from '@preact/signals'
import { ChevronRight, GripVertical } from 'lucide'
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useId } from 'preact/hooks'
import type { Group } from '../../model/form.ts'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../words/words.ts'
import { FieldMark } from '../field-mark.tsx'
import { focusIn, useGoTo } from '../go-to.ts'
import { ItemButtons } from './item-buttons.tsx'
import type { ListActions } from './list-actions.ts'
import './list-item.css'

interface ListItemProps {
  readonly item: Group
  /** The name of the group. */
  readonly name: ReadonlySignal<string>
  /** Shown beside the name of what is closed. */
  readonly line?: ReadonlySignal<string>
  readonly actions: ListActions
  /** `box` opens and closes; a `row` is compact; a `text` has no frame. */
  readonly look: 'box' | 'row' | 'text'
  readonly startsOpen?: boolean
  readonly children: () => ComponentChildren
}

/** An item of an array or a block of an area, with what can be done with it. */
export function ListItem({ item, name, line, actions, look, startsOpen = true, children }: ListItemProps) {
  const hintId = useId()
  const id = item.id ?? ''
  const isOpen = useSignal(startsOpen || actions.isNew(id))
  const closes = look === 'box'
  useGoTo(item.path, () => {
    isOpen.value = true
  })
  const isShown = isOpen.value || !closes
  return (
    <fieldset class={`q-item q-item--${look}`} data-path={item.path.join('.')} aria-label={name}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the buttons in it. */}
      <div class="q-item-head" onKeyDown={(event) => onKey(event, id, actions)}>
        <button
          type="button"
          class="q-item-title"
          aria-label={look === 'box' ? undefined : name}
          aria-expanded={closes ? isOpen.value : undefined}
          aria-describedby={hintId}
          onClick={(event) => {
            if (closes) isOpen.value = !isOpen.peek()
            else focusIn(event.currentTarget.closest('.q-item')?.querySelector('.q-item-body') ?? null)
          }}
        >
          <Icon of={closes ? ChevronRight : GripVertical} />
          {closes && <span>{name}</span>}
          {closes && !isOpen.value && line && <small class="q-item-line">{line}</small>}
        </button>
        <span id={hintId} hidden>
          {t.blocks.keys}
        </span>
        <ItemButtons id={id} actions={actions} />
      </div>
      {isShown && <div class="q-item-body">{children()}</div>}
      <FieldMark path={item.path} />
    </fieldset>
  )
}

/** Handles keys while the head of an item has the focus. */
function onKey(event: TargetedKeyboardEvent<HTMLElement>, id: string, actions: ListActions): void {
  const isCommand = event.ctrlKey || event.metaKey
  if (event.altKey && event.key === 'ArrowUp') actions.move(id, -1)
  else if (event.altKey && event.key === 'ArrowDown') actions.move(id, 1)
  else if (isCommand && event.key.toLowerCase() === 'd') actions.duplicate(id)
  else if (event.key === 'Delete') actions.remove(id)
  else return
  event.preventDefault()
  event.stopPropagation()
}
