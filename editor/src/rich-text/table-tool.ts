import type { Command } from 'prosemirror-state'
import { TextSelection } from 'prosemirror-state'
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  fixTables,
  mergeCells,
  splitCell,
  toggleHeaderColumn,
  toggleHeaderRow,
} from 'prosemirror-tables'
import type { TableAction } from '../words/rich-text.ts'
import { element, newId } from './dom.ts'
import { schema } from './schema.ts'
import { type ToolContext, type ToolControl, toolButton } from './tool-control.ts'

const { nodes } = schema

/** A table of three rows, the first of headers, and three columns; the caret is in its first cell. */
const insertTable: Command = (state, dispatch) => {
  const row = (type = nodes.table_cell) =>
    nodes.table_row.create(
      null,
      [0, 1, 2].map(() => type.create(null, nodes.line.create())),
    )
  const tr = state.tr.replaceSelectionWith(nodes.table.create(null, [row(nodes.table_header), row(), row()]))
  const at = tr.mapping.map(state.selection.from, -1)
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1))).scrollIntoView())
  return true
}

const ACTIONS: readonly (readonly [TableAction, Command])[] = [
  ['insert', insertTable],
  ['rowBefore', addRowBefore],
  ['rowAfter', addRowAfter],
  ['removeRow', deleteRow],
  ['columnBefore', addColumnBefore],
  ['columnAfter', addColumnAfter],
  ['removeColumn', deleteColumn],
  ['headerRow', toggleHeaderRow],
  ['headerColumn', toggleHeaderColumn],
  ['merge', mergeCells],
  ['split', splitCell],
  ['removeTable', deleteTable],
]

/** The button that opens the menu of tables. */
export function tableTool(context: ToolContext): ToolControl {
  const { view, options } = context
  const control = toolButton('table', context)
  const menu = element('div', {
    id: newId(),
    role: 'menu',
    popover: 'auto',
    class: 'q-rich-text-menu',
    'aria-label': options.t.tools.table,
  })
  const items = ACTIONS.map(([name, command]) => {
    const item = element('button', { type: 'button', role: 'menuitem', tabindex: '-1' }, options.t.table[name])
    item.addEventListener('click', () => {
      if (item.getAttribute('aria-disabled') === 'true') return
      menu.hidePopover()
      const regular = fixTables(view.state)
      if (regular) view.dispatch(regular)
      command(view.state, view.dispatch, view)
      view.focus()
    })
    return { item, command }
  })
  menu.append(...items.map(({ item }) => item))
  menu.addEventListener('mousedown', (event) => event.preventDefault())
  menu.addEventListener('keydown', (event) => moveInMenu(event, menu, control))
  menu.addEventListener('toggle', () => {
    const isOpen = menu.matches(':popover-open')
    control.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) items[0]?.item.focus()
  })
  control.setAttribute('aria-haspopup', 'menu')
  control.setAttribute('aria-expanded', 'false')
  control.popoverTargetElement = menu

  const update = () => {
    for (const { item, command } of items) item.setAttribute('aria-disabled', String(!command(view.state)))
  }
  return { control, others: [menu], update }
}

function moveInMenu(event: KeyboardEvent, menu: HTMLElement, control: HTMLElement): void {
  const items = [...menu.querySelectorAll('button')]
  const current = items.findIndex((item) => item.matches(':focus'))
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: (current + 1) % items.length,
    ArrowUp: current - 1,
    Home: 0,
    End: -1,
  }
  const target = targets[event.key]
  if (event.key === 'Escape' || event.key === 'Tab') {
    menu.hidePopover()
    control.focus()
  } else if (target !== undefined) items.at(target)?.focus()
  else return
  event.preventDefault()
  event.stopPropagation()
}
