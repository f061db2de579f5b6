import { baseKeymap, chainCommands, exitCode, joinBackward, selectNodeBackward, splitBlock } from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import { undoInputRule } from 'prosemirror-inputrules'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import type { Command } from 'prosemirror-state'
import { goToNextCell } from 'prosemirror-tables'
import type { Allowed } from './policy.ts'
import { schema } from './schema.ts'
import { commandOf } from './tool-commands.ts'

const { nodes } = schema

const lineBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.line_break.create()).scrollIntoView())
  return true
}

/**
 * The keys of the tools at hand. Tab moves in tables and makes items of lists deeper; where it can do neither, it
 * leaves the text as everywhere.
 */
export function keysOf({ tools }: Allowed): Record<string, Command> {
  const keys: Record<string, Command> = {
    ...baseKeymap,
    Enter: chainCommands(splitListItem(nodes.list_item), baseKeymap.Enter ?? splitBlock),
    'Shift-Enter': chainCommands(exitCode, lineBreak),
    Backspace: chainCommands(undoInputRule, baseKeymap.Backspace ?? chainCommands(joinBackward, selectNodeBackward)),
    Tab: chainCommands(goToNextCell(1), sinkListItem(nodes.list_item)),
    'Shift-Tab': chainCommands(goToNextCell(-1), liftListItem(nodes.list_item)),
    'Mod-z': undo,
    'Mod-y': redo,
    'Mod-Shift-z': redo,
  }
  for (const [key, tool] of KEYS) {
    const command = tools.includes(tool) && commandOf(tool)
    if (command) keys[key] = command
  }
  return keys
}

const KEYS = [
  ['Mod-b', 'bold'],
  ['Mod-i', 'italic'],
  ['Mod-u', 'underline'],
  ['Mod-e', 'code'],
  ['Mod-Shift-x', 'strike'],
  ['Mod-Shift-h', 'highlight'],
  ['Mod-.', 'superscript'],
  ['Mod-,', 'subscript'],
  ['Mod-Shift-7', 'orderedList'],
  ['Mod-Shift-8', 'bulletList'],
  ['Mod-Shift-9', 'blockquote'],
  ['Mod-Alt-c', 'codeBlock'],
  ['Mod-Shift-l', 'alignLeft'],
  ['Mod-Shift-e', 'alignCenter'],
  ['Mod-Shift-r', 'alignRight'],
  ['Mod-Shift-j', 'alignJustify'],
] as const
