import { closingOf, htmlOf, type RichElement, type RichNode } from './rich-element.ts'

/** The position of a part: how many runs of the text come before its beginning, and before its end. */
interface Position {
  readonly start: number
  readonly end: number
}

/** An element that stands on lines of its own, or that contains one which does. */
export interface Block extends Position {
  readonly kind: 'block'
  readonly element: RichElement
  readonly parent: Block | null
  readonly parts: readonly Part[]
}

/** Neighbouring words of a block, with their inline elements. */
export interface Run extends Position {
  readonly kind: 'run'
  readonly parent: Block
  readonly pieces: readonly Piece[]
}

/** A part without words: space between blocks, rules, columns, empty elements. */
export interface Bare extends Position {
  readonly kind: 'bare'
  /** Empty for space and inline elements. */
  readonly name: string
  readonly html: string
}

/** A part of a block. */
export type Part = Block | Run | Bare

/** Text, or an element without text, in its inline elements. */
export interface Piece {
  readonly text: string
  /** Of an element without text: a line break, an image, or one that is empty. */
  readonly element: RichElement | null
  /** From the outermost inline element to the innermost one. */
  readonly path: readonly RichElement[]
}

const BLOCKS = new Set(
  'p h1 h2 h3 h4 h5 h6 blockquote ul ol li pre div figure figcaption table caption colgroup thead tbody tfoot tr td th'.split(
    ' ',
  ),
)
const BARE = new Set(['hr', 'col'])
const SPACE = /^\s*$/

/** A rich text in blocks, and all their runs in the order of the text. */
export interface Blocks {
  readonly root: Block
  readonly runs: readonly Run[]
}

/** Divides a rich text into blocks and runs of words. */
export function blocksOf(root: RichElement): Blocks {
  const runs: Run[] = []
  const withBlocks = elementsWithBlocks(root)
  const isInline = (node: RichNode) => typeof node === 'string' || !(withBlocks.has(node) || isBlock(node))

  function block(element: RichElement, parent: Block | null): Block {
    const parts: Part[] = []
    const made = { kind: 'block' as const, element, parent, parts, start: runs.length, end: runs.length }
    let inline: RichNode[] = []
    for (const child of [...element.children, null]) {
      if (child !== null && isInline(child)) inline.push(child)
      else {
        if (inline.length > 0) parts.push(inlinePart(inline, made, runs))
        inline = []
        if (child === null || typeof child === 'string') continue
        parts.push(BARE.has(child.name) ? bare(child.name, child.opening, runs) : block(child, made))
      }
    }
    made.end = runs.length
    return made
  }

  return { root: block(root, null), runs }
}

function isBlock({ name }: RichElement): boolean {
  return BLOCKS.has(name) || BARE.has(name)
}

function elementsWithBlocks(root: RichElement): ReadonlySet<RichElement> {
  const elements = new Set<RichElement>()
  const look = (element: RichElement): boolean => {
    let holdsBlock = false
    for (const child of element.children) {
      if (typeof child !== 'string' && (look(child) || isBlock(child))) holdsBlock = true
    }
    if (holdsBlock) elements.add(element)
    return holdsBlock
  }
  look(root)
  return elements
}

function bare(name: string, html: string, runs: readonly Run[]): Bare {
  return { kind: 'bare', name, html, start: runs.length, end: runs.length }
}

function inlinePart(nodes: readonly RichNode[], parent: Block, runs: Run[]): Part {
  const pieces = [...piecesOf(nodes, [])]
  if (!pieces.some(isSeen)) return bare('', nodes.map(htmlOf).join(''), runs)
  const run: Run = { kind: 'run', parent, pieces, start: runs.length, end: runs.length + 1 }
  runs.push(run)
  return run
}

/** True for what a reader sees. */
function isSeen({ element, path, text }: Piece): boolean {
  return element === null ? !SPACE.test(text) : !path.includes(element)
}

function* piecesOf(nodes: readonly RichNode[], path: readonly RichElement[]): Generator<Piece> {
  for (const node of nodes) {
    if (typeof node === 'string') yield { text: node, element: null, path }
    else if (node.children.length > 0) yield* piecesOf(node.children, [...path, node])
    else if (closingOf(node) === '') yield { text: '', element: node, path }
    else yield { text: '', element: node, path: [...path, node] }
  }
}
