import {
  AlignCenter,
  AlignJustify,
  AlignLeft,
  AlignRight,
  Anchor,
  Bold,
  Code,
  Highlighter,
  type IconNode,
  Image,
  Italic,
  Link,
  List,
  ListOrdered,
  Minus,
  Palette,
  Redo2,
  SquareCode,
  Strikethrough,
  Subscript,
  Superscript,
  Table,
  TextQuote,
  Underline,
  Undo2,
} from 'lucide'
import type { ToolName } from '../words/rich-text.ts'

const ICONS: Readonly<Record<Exclude<ToolName, 'styles'>, IconNode>> = {
  bold: Bold,
  italic: Italic,
  underline: Underline,
  strike: Strikethrough,
  superscript: Superscript,
  subscript: Subscript,
  highlight: Highlighter,
  code: Code,
  color: Palette,
  link: Link,
  anchor: Anchor,
  bulletList: List,
  orderedList: ListOrdered,
  blockquote: TextQuote,
  codeBlock: SquareCode,
  horizontalRule: Minus,
  image: Image,
  table: Table,
  alignLeft: AlignLeft,
  alignCenter: AlignCenter,
  alignRight: AlignRight,
  alignJustify: AlignJustify,
  undo: Undo2,
  redo: Redo2,
}

const SVG = 'http://www.w3.org/2000/svg'

/** The picture of a tool; its name is that of its button. */
export function iconOf(tool: Exclude<ToolName, 'styles'>): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  const frame = { viewBox: '0 0 24 24', class: 'q-rich-text-icon', 'aria-hidden': 'true', focusable: 'false' }
  setAll(svg, frame)
  for (const [name, attributes] of ICONS[tool]) svg.append(setAll(document.createElementNS(SVG, name), attributes))
  return svg
}

function setAll(made: Element, attributes: object): Element {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value))
  return made
}
