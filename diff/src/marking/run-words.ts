import { finish } from '../words/steps.ts'
import { splitWords, type Word } from '../words/words.ts'
import type { Block, Piece, Run } from './blocks.ts'
import { escapeText, type RichElement } from './rich-element.ts'

/** A word, space, punctuation mark, line break or image. */
export interface Token {
  readonly html: string
  /** The word that it is compared as; null for what no reader sees, such as space at the end of a block. */
  readonly word: Word | null
  /** Characters of a word; 0 for space and punctuation. */
  readonly weight: number
  readonly path: readonly RichElement[]
}

/** The letter for each element that makes other words of the same characters (§2.5). */
const FORMATS: { readonly [name: string]: string } = {
  strong: 'b',
  b: 'b',
  em: 'i',
  i: 'i',
  u: 'u',
  s: 's',
  del: 's',
  strike: 's',
  sup: '^',
  sub: '_',
  code: 'c',
  mark: 'm',
}
const KINDS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'li', 'blockquote'])
const WORD = /[\p{L}\p{N}]/u

/** The key by which whole runs are compared. */
export function keyOfRun(run: Run): string {
  const keys = run.pieces.map(
    (piece) => `${formatOf(run, piece)}${piece.element ? elementKey(piece.element) : piece.text}`,
  )
  return `${kindOf(run.parent)}\n${keys.join('\n')}`
}

/** The words of a run. */
export function tokensOf(run: Run): Token[] {
  const kind = kindOf(run.parent)
  const tokens = run.pieces.flatMap((piece) => tokensOfPiece(run, piece, kind))
  if (kind === 'pre') return tokens
  const isSeen = ({ word }: Token) => word !== null && word !== SPACE
  const first = tokens.findIndex(isSeen)
  const last = tokens.findLastIndex(isSeen)
  return tokens.map((token, index) => (index < first || index > last ? { ...token, word: null } : token))
}

/** Space is the same wherever it stands. */
const SPACE: Word = { text: ' ' }
const LINE_BREAK: Word = { text: '\n', format: 'br' }
/** The weight of an image, in characters. */
const OBJECT_WEIGHT = 8

function tokensOfPiece(run: Run, piece: Piece, kind: string): Token[] {
  const { element, path, text } = piece
  const format = `${kind} ${formatOf(run, piece)}`
  if (element) {
    if (path.includes(element)) return [{ html: '', word: null, weight: 0, path }]
    if (element.name === 'br') return [{ html: element.opening, word: LINE_BREAK, weight: 0, path }]
    const word = { text: '', object: elementKey(element), format }
    return [{ html: element.opening, word, weight: OBJECT_WEIGHT, path }]
  }
  return finish(splitWords(text)).map((part) => {
    const isSpace = part.trim() === ''
    const word = isSpace && kind !== 'pre' ? SPACE : { text: part, format: isSpace ? '' : format }
    return { html: escapeText(part), word, weight: WORD.test(part) ? part.length : 0, path }
  })
}

/** Links, alignment and the like are not compared as words, nor is what describes an image (§2.5). */
function elementKey({ name, attributes }: RichElement): string {
  return name === 'img' ? `<img> ${attributes.src ?? ''}` : `<${name}>`
}

function formatOf(run: Run, { path }: Piece): string {
  const letters = new Set(path.map(({ name }) => FORMATS[name] ?? ''))
  for (let block: Block | null = run.parent; block !== null; block = block.parent) {
    letters.add(FORMATS[block.element.name] ?? '')
  }
  return [...letters].sort().join('')
}

/**
 * The kind of block that words stand in: a heading of a level, an item of a list, a quotation; empty for paragraphs.
 */
function kindOf(block: Block): string {
  for (let above: Block | null = block; above !== null; above = above.parent) {
    if (KINDS.has(above.element.name)) return above.element.name
  }
  return ''
}

/** A token and its position. */
export interface TokenAt {
  readonly token: Token
  readonly run: Run
  /** Its index in the run. */
  readonly index: number
}

/** The end of a run. */
const BOUNDARY: Word = { text: '\n' }

/** The words of several runs, with a boundary after each run. */
export class Words {
  readonly words: Word[] = []
  /** The position of each; null for boundaries. */
  readonly positions: (TokenAt | null)[] = []
  readonly tokens = new Map<Run, readonly Token[]>()
  readonly #weights = new Map<Run, number>()

  constructor(runs: readonly Run[]) {
    for (const run of runs) {
      const tokens = tokensOf(run)
      this.tokens.set(run, tokens)
      let weight = 0
      for (const [index, token] of tokens.entries()) {
        weight += token.weight
        if (token.word !== null) this.#add(token.word, { token, run, index })
      }
      this.#weights.set(run, weight)
      this.#add(BOUNDARY, null)
    }
  }

  weightOf(run: Run): number {
    return this.#weights.get(run) ?? 0
  }

  #add(word: Word, at: TokenAt | null): void {
    this.words.push(word)
    this.positions.push(at)
  }
}
