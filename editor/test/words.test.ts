import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { en } from '../src/words/en.ts'
import { codeOf, sources } from './sources.ts'

/** Attributes and properties that people read or hear. */
const SPOKEN = new Set(['aria-label', 'ariaLabel', 'aria-description', 'title', 'placeholder', 'alt', 'textContent'])
const LETTERS = /\p{L}{2}/u

/** A node of the syntax tree. */
interface Node {
  readonly type: string
  readonly [name: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

/** The texts that stand in a value itself: not those that a condition compares, nor what a call is given. */
function textsIn(node: unknown): string[] {
  if (!isNode(node)) return []
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : []
    case 'TemplateLiteral':
      return childrenOf(node).flatMap((part) => (part.type === 'TemplateElement' ? rawOf(part) : textsIn(part)))
    case 'JSXExpressionContainer':
      return textsIn(node.expression)
    case 'ConditionalExpression':
      return [...textsIn(node.consequent), ...textsIn(node.alternate)]
    case 'LogicalExpression':
    case 'BinaryExpression':
      return node.operator === '+' || node.type === 'LogicalExpression'
        ? [...textsIn(node.left), ...textsIn(node.right)]
        : []
    default:
      return []
  }
}

const rawOf = ({ value }: Node) => (isRaw(value) ? [value.raw] : [])
const isRaw = (value: unknown): value is { readonly raw: string } => {
  return typeof value === 'object' && value !== null && 'raw' in value
}

/** The name of an attribute, a property, or what is assigned to. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  if (node.type === 'MemberExpression') return nameOf(node.property)
  return String(node.name ?? node.value ?? '')
}

/** What people would read of one node. */
function spokenBy(node: Node): string[] {
  switch (node.type) {
    case 'JSXText':
      return [String(node.value)]
    case 'JSXElement':
    case 'JSXFragment':
      return [node.children].flat().flatMap((child) => textsIn(child))
    case 'JSXAttribute':
      return SPOKEN.has(nameOf(node.name)) ? textsIn(node.value) : []
    case 'Property':
      return SPOKEN.has(nameOf(node.key)) ? textsIn(node.value) : []
    case 'AssignmentExpression':
      return SPOKEN.has(nameOf(node.left)) ? textsIn(node.right) : []
    default:
      return []
  }
}

function wordsIn(node: Node): string[] {
  return [...spokenBy(node).filter((text) => LETTERS.test(text)), ...childrenOf(node).flatMap(wordsIn)]
}

function wordsOf(file: string): string[] {
  const code = readFileSync(join(import.meta.dirname, '../src', file), 'utf8')
  const program: unknown = parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  return isNode(program) ? wordsIn(program).map((text) => `${file}: ${text.trim()}`) : []
}

test('editor: all that people read is in words/', () => {
  expect(sources.filter((file) => !file.startsWith('words/')).flatMap(wordsOf)).toEqual([])
})

test('editor: words are found wherever people would read them', () => {
  const code = `
    const one = <p title="Tip">Hello {isNew ? 'New' : t.old}</p>
    const two = <img alt={\`Picture \${n}\`} class="not spoken" />
    element.ariaLabel = 'Close'
  `
  const program: unknown = parseAst(code, { lang: 'tsx' })
  const found = isNode(program) ? wordsIn(program).map((text) => text.trim()) : []
  expect(found.toSorted()).toEqual(['Close', 'Hello', 'New', 'Picture', 'Tip'])
})

/** The messages that no code reads; a group that is read by a key or handed on counts as read as a whole. */
function unused(words: object, way: string, code: string): string[] {
  return Object.entries(words).flatMap(([name, value]: [string, unknown]) => {
    const path = `${way}.${name}`
    const isRead = new RegExp(`${path.replaceAll('.', '\\??\\.')}\\b(?!\\??\\.)`).test(code)
    if (isRead) return []
    return typeof value === 'object' && value !== null ? unused(value, path, code) : [path]
  })
}

test('editor: somebody uses every message', () => {
  const code = sources
    .filter((file) => !file.startsWith('words/en'))
    .map(codeOf)
    .join('\n')
  expect(unused(en, 't', code)).toEqual([])
})

test('editor: a message that nobody uses is found', () => {
  const words = { list: { none: 'None', more: 'More', of: { one: '1' } }, states: { draft: 'Draft' } }
  expect(unused(words, 't', 't.list.more(3) + t.list.moreThan + t.states[state]')).toEqual([
    't.list.none',
    't.list.of.one',
  ])
})
