import type { ToolName } from '../words/rich-text.ts'
import type { TextStyle } from './options.ts'

const BLOCKS = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'li', 'td', 'th', 'div', 'figure']

interface Allowance {
  readonly tags?: readonly string[]
  readonly attributes?: Readonly<Record<string, readonly string[]>>
}

const ALIGNED: Allowance = { attributes: Object.fromEntries(BLOCKS.map((tag) => [tag, ['style']])) }

/** The markup that the service keeps for each tool, and so what the tool may make, and what may be pasted. */
const ALLOWANCES = {
  styles: {},
  bold: { tags: ['strong', 'b'] },
  italic: { tags: ['em', 'i'] },
  underline: { tags: ['u'] },
  strike: { tags: ['s', 'del', 'strike'] },
  superscript: { tags: ['sup'] },
  subscript: { tags: ['sub'] },
  highlight: { tags: ['mark'] },
  code: { tags: ['code'] },
  color: { tags: ['span'], attributes: { span: ['style'] } },
  link: { tags: ['a'], attributes: { a: ['href', 'target', 'rel', 'title', 'id', 'name', 'download'] } },
  anchor: { tags: ['span', 'a'], attributes: { span: ['id'], a: ['id', 'name'] } },
  bulletList: { tags: ['ul', 'li'] },
  orderedList: { tags: ['ol', 'li'], attributes: { ol: ['start', 'reversed'] } },
  blockquote: { tags: ['blockquote', 'p'] },
  codeBlock: { tags: ['pre', 'code'] },
  horizontalRule: { tags: ['hr'] },
  image: { tags: ['figure', 'img', 'figcaption'], attributes: { img: ['src', 'alt', 'width', 'height'] } },
  table: {
    tags: ['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tr', 'td', 'th'],
    attributes: { td: ['colspan', 'rowspan', 'colwidth'], th: ['colspan', 'rowspan', 'colwidth', 'scope'] },
  },
  alignLeft: ALIGNED,
  alignCenter: ALIGNED,
  alignRight: ALIGNED,
  alignJustify: ALIGNED,
  undo: {},
  redo: {},
} satisfies Record<ToolName, Allowance>

/** Whether there is a tool of this name. */
export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(ALLOWANCES, name)
}

const USUAL_TOOLS = 'styles bold italic strike link anchor bulletList orderedList blockquote'.split(' ')
const USUAL_STYLES: readonly TextStyle[] = ['p', 'h2', 'h3', 'h4'].map((tag) => ({ tag }))

/** The markup that the text of a field may be made of. */
export interface Allowed {
  /** In the order of the declaration; `|` is a gap. */
  readonly tools: readonly (ToolName | '|')[]
  readonly styles: readonly TextStyle[]
  readonly tags: ReadonlySet<string>
  readonly attributes: Readonly<Record<string, ReadonlySet<string>>>
  /** By tag. */
  readonly classes: Readonly<Record<string, ReadonlySet<string>>>
  /** Values of `text-align`. */
  readonly alignments: ReadonlySet<string>
  readonly hasColor: boolean
}

/** Reads a declaration as the service does (§2.13): what it keeps for these tools and styles. */
export function allowedBy(toolbar: readonly string[] = USUAL_TOOLS, styles = USUAL_STYLES): Allowed {
  const tools = toolbar.filter((name) => name === '|' || isToolName(name))
  const names = tools.filter((name) => name !== '|')
  const allowances: readonly Allowance[] = names.map((name) => ALLOWANCES[name])
  const attributes = allowances.flatMap((one) => Object.entries(one.attributes ?? {}))
  const classes = styles.map((style): [string, string[]] => [style.tag, classesOf(style)])
  return {
    tools,
    styles,
    tags: new Set(['p', 'br', ...styles.map(({ tag }) => tag), ...allowances.flatMap(({ tags = [] }) => tags)]),
    attributes: gathered(attributes),
    classes: gathered(classes),
    alignments: new Set(names.flatMap((name) => (name.startsWith('align') ? [name.slice(5).toLowerCase()] : []))),
    hasColor: names.includes('color'),
  }
}

/** The classes of a style, singly. */
export function classesOf({ class: names = '' }: TextStyle): string[] {
  return names.split(' ').filter((name) => name !== '')
}

function gathered(entries: readonly (readonly [string, readonly string[]])[]): Record<string, ReadonlySet<string>> {
  const result: Record<string, Set<string>> = {}
  for (const [key, values] of entries) {
    const set = result[key] ?? new Set()
    for (const value of values) set.add(value)
    result[key] = set
  }
  return result
}
