import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import type { NodeType } from 'prosemirror-model'
import type { Plugin } from 'prosemirror-state'
import { nodeAround, toggleList } from './block-commands.ts'
import type { MarkName } from './elements.ts'
import type { Allowed } from './policy.ts'
import { schema } from './schema.ts'

const { nodes } = schema

/** Signs that become what they mean while they are typed: `## `, `- `, `1. `, `> `, three backticks, `**bold**`. */
export function typingRules(allowed: Allowed): Plugin {
  return inputRules({ rules: [...headingRules(allowed), ...blockRules(allowed), ...markRules(allowed)] })
}

function headingRules({ tools, styles }: Allowed): InputRule[] {
  if (!tools.includes('styles')) return []
  const levels = styles.flatMap(({ tag, class: names }) => (/^h\d$/.test(tag) && !names ? [Number(tag.slice(1))] : []))
  return levels.map((level) =>
    textblockTypeInputRule(new RegExp(`^#{${level}}\\s$`), nodes.paragraph, { tag: `h${level}` }),
  )
}

function blockRules({ tools }: Allowed): InputRule[] {
  const rules: InputRule[] = []
  if (tools.includes('bulletList')) rules.push(listRule(/^\s*[-*]\s$/, nodes.bullet_list))
  if (tools.includes('orderedList')) rules.push(listRule(/^1\.\s$/, nodes.ordered_list))
  if (tools.includes('blockquote')) rules.push(wrappingInputRule(/^\s*>\s$/, nodes.quotation))
  if (tools.includes('codeBlock')) rules.push(textblockTypeInputRule(/^```$/, nodes.code_block))
  if (tools.includes('horizontalRule')) rules.push(ruleRule)
  return rules
}

/** Makes a list of a block that is in none. */
function listRule(sign: RegExp, type: NodeType): InputRule {
  return new InputRule(sign, (state, _match, start, end) => {
    const tr = state.tr.delete(start, end)
    const without = state.apply(tr)
    if (nodeAround(without, [nodes.list_item]) !== null) return null
    toggleList(type)(without, ({ steps }) => {
      for (const step of steps) tr.step(step)
    })
    return tr.steps.length > 1 ? tr : null
  })
}

const ruleRule = new InputRule(/^---$/, (state, _match, start, end) => {
  const $start = state.doc.resolve(start)
  if ($start.parent.content.size > end - start + 1) return null
  return state.tr.delete(start, end).insert($start.before(), nodes.rule.create())
})

const SIGNS = [
  ['bold', /\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/],
  ['italic', /(?<![*\w])\*([^*\s](?:[^*]*[^*\s])?)\*$/],
  ['italic', /(?<![_\w])_([^_\s](?:[^_]*[^_\s])?)_$/],
  ['strike', /~~([^~\s](?:[^~]*[^~\s])?)~~$/],
  ['code', /`([^`]+)`$/],
] as const

function markRules({ tools }: Allowed): InputRule[] {
  return SIGNS.filter(([tool]) => tools.includes(tool)).map(([name, signs]) => markRule(name, signs))
}

/** Removes the signs and puts what is between them into the element. */
function markRule(name: MarkName, signs: RegExp): InputRule {
  return new InputRule(signs, (state, match, start, end) => {
    const [whole, words = ''] = match
    const type = schema.marks[name]
    if (type === undefined) return null
    const before = whole.indexOf(words)
    const from = start + before
    const { tr } = state
    tr.delete(from + words.length, end).delete(start, from)
    return tr.addMark(start, start + words.length, type.create()).removeStoredMark(type)
  })
}
