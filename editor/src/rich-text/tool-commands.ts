import { redo, undo } from 'prosemirror-history'
import type { Command, EditorState } from 'prosemirror-state'
import type { ToolName } from '../words/rich-text.ts'
import {
  align,
  alignmentAt,
  insertBlock,
  nodeAround,
  toggleCodeBlock,
  toggleList,
  toggleQuotation,
} from './block-commands.ts'
import { isMarkName, type MarkName } from './elements.ts'
import { hasMark, toggleMark } from './mark-commands.ts'
import { schema } from './schema.ts'

const { nodes } = schema

const COMMANDS: { readonly [Name in ToolName]?: Command } = {
  bulletList: toggleList(nodes.bullet_list),
  orderedList: toggleList(nodes.ordered_list),
  blockquote: toggleQuotation,
  codeBlock: toggleCodeBlock,
  horizontalRule: insertBlock(nodes.rule.create()),
  undo,
  redo,
}

const BLOCK_OF = {
  bulletList: nodes.bullet_list,
  orderedList: nodes.ordered_list,
  blockquote: nodes.quotation,
  codeBlock: nodes.code_block,
  table: nodes.table,
} as const

/** The command of a tool that acts at once; undefined for those that ask first. */
export function commandOf(tool: ToolName): Command | undefined {
  if (isPlainMark(tool)) return toggleMark(tool)
  if (tool.startsWith('align')) return align(tool.slice(5).toLowerCase())
  return COMMANDS[tool]
}

/** Whether the text at the selection is what the tool makes; undefined of tools that make nothing that could be on. */
export function isOn(tool: ToolName, state: EditorState): boolean | undefined {
  if (isPlainMark(tool) || tool === 'link') return hasMark(state, tool)
  if (tool.startsWith('align')) return alignmentAt(state) === tool.slice(5).toLowerCase()
  return isBlockTool(tool) ? nodeAround(state, [BLOCK_OF[tool]]) !== null : undefined
}

function isBlockTool(tool: ToolName): tool is keyof typeof BLOCK_OF {
  return Object.hasOwn(BLOCK_OF, tool)
}

/** Marks that need no more than to be there. */
function isPlainMark(tool: ToolName): tool is ToolName & Exclude<MarkName, 'link' | 'span'> {
  return isMarkName(tool) && tool !== 'link'
}
