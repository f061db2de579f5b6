import { isBlock, isSafeAddress, isSpace } from './elements.ts'
import type { Attributes, HtmlElement, HtmlNode } from './html.ts'
import type { Allowed } from './policy.ts'

const NO_TEXT = new Set(
  'head script style title template noscript iframe object svg math select textarea button'.split(' '),
)
const COLOR = /^(?:#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([\d.,%/ ]{1,60}\))$/i
/** The elements of browsers and word processors that stand for ours. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  strong: ['strong', 'b'],
  b: ['strong', 'b'],
  em: ['em', 'i'],
  i: ['em', 'i'],
  s: ['s', 'del', 'strike'],
  del: ['s', 'del', 'strike'],
  strike: ['s', 'del', 'strike'],
}
const PARAGRAPHS = /^(?:p|h[1-6]|div|dt|dd|address|section|article|center)$/

/** How foreign HTML is taken over. */
export interface Cleaning {
  readonly allowed: Allowed
  /** Whether it comes from a text of this editor: then names and ids stay. */
  readonly isOwn: boolean
  /** Whether a picture may stay. */
  isAllowedPicture(src: string): boolean
}

/** A tree of HTML reduced to what the field's tools make: other elements go, their words stay. */
export function cleaned(nodes: readonly HtmlNode[], cleaning: Cleaning): readonly HtmlNode[] {
  return withoutGaps(nodes.flatMap((node) => cleanNode(node, cleaning, false)))
}

function cleanNode(node: HtmlNode, cleaning: Cleaning, isCode: boolean): readonly HtmlNode[] {
  if (typeof node === 'string') return [isCode || cleaning.isOwn ? node : node.replace(/[ \t\r\n\f]+/g, ' ')]
  if (NO_TEXT.has(node.tag)) return []
  if (node.tag === 'img') return cleanPicture(node, cleaning)
  const children = cleanChildren(node, cleaning, isCode || node.tag === 'pre')
  const tag = tagFor(node, cleaning.allowed, children)
  if (tag === undefined) return children
  const attributes = cleanAttributes(tag, node.attributes, cleaning)
  const isNothing = (tag === 'span' || tag === 'a') && Object.keys(attributes).length === 0
  return isNothing ? children : [{ tag, attributes, children }]
}

function cleanChildren(node: HtmlElement, cleaning: Cleaning, isCode: boolean): readonly HtmlNode[] {
  const styled = cleaning.isOwn ? node.children : withLooks(node)
  const children = styled.flatMap((child) => cleanNode(child, cleaning, isCode))
  return cleaning.isOwn ? children : withoutGaps(children)
}

/** White space between blocks is that of the source. */
function withoutGaps(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  return merged(nodes.some(isBlock) ? nodes.filter((node) => !isSpace(node)) : nodes)
}

/** Looks that word processors write as styles, as elements. */
function withLooks({ tag, attributes: { style = '' }, children }: HtmlElement): readonly HtmlNode[] {
  if (tag !== 'span') return children
  const tags = [
    ...(/(?:^|;)\s*font-weight:\s*(?:bold|[6-9]00)/.test(style) ? ['strong'] : []),
    ...(/font-style:\s*italic/.test(style) ? ['em'] : []),
    ...(/text-decoration[^;]*line-through/.test(style) ? ['s'] : []),
  ]
  return tags.reduce<readonly HtmlNode[]>((inner, name) => [{ tag: name, attributes: {}, children: inner }], children)
}

/** The element that stands for another one; undefined: none, its content stays. */
function tagFor(
  { tag, attributes }: HtmlElement,
  { tags }: Allowed,
  children: readonly HtmlNode[],
): string | undefined {
  const hasBlocks = children.some(isBlock)
  if (isBlock({ tag, attributes: {}, children: [] }) || PARAGRAPHS.test(tag)) {
    if (tags.has(tag) && !(tag === 'p' && hasBlocks)) return tag
    return PARAGRAPHS.test(tag) && !hasBlocks ? 'p' : undefined
  }
  if (hasBlocks) return undefined
  if (tag === 'b' && /(?:^|;)\s*font-weight:\s*normal/.test(attributes.style ?? '')) return undefined
  return (SYNONYMS[tag] ?? [tag]).find((name) => tags.has(name))
}

function cleanPicture(node: HtmlElement, cleaning: Cleaning): readonly HtmlNode[] {
  const { src } = node.attributes
  if (!cleaning.allowed.tags.has('img') || src === undefined || !cleaning.isAllowedPicture(src)) return []
  return [{ tag: 'img', attributes: cleanAttributes('img', node.attributes, cleaning), children: [] }]
}

function cleanAttributes(tag: string, attributes: Attributes, { allowed, isOwn }: Cleaning): Attributes {
  const names = allowed.attributes[tag]
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]): [string, string][] => {
      if (name === 'class')
        return found(
          name,
          value.split(/\s+/).filter((one) => allowed.classes[tag]?.has(one)),
          ' ',
        )
      if (!names?.has(name)) return []
      if (name === 'style')
        return found(
          name,
          value.split(';').flatMap((one) => cleanDeclaration(one, allowed)),
          ';',
        )
      if ((name === 'id' || name === 'name') && !isOwn) return []
      return name === 'href' && !isSafeAddress(value) ? [] : [[name, value]]
    }),
  )
}

function found(name: string, values: readonly string[], separator: string): [string, string][] {
  return values.length === 0 ? [] : [[name, values.join(separator)]]
}

function cleanDeclaration(declaration: string, { alignments, hasColor }: Allowed): string[] {
  const [name = '', value = ''] = declaration.split(':').map((part) => part.trim().toLowerCase())
  const isKept = name === 'text-align' ? alignments.has(value) : name === 'color' && hasColor && COLOR.test(value)
  return isKept ? [`${name}:${value}`] : []
}

/** Pieces of text that became neighbours, as one. */
function merged(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  const result: HtmlNode[] = []
  for (const node of nodes) {
    const last = result.at(-1)
    if (typeof node === 'string' && typeof last === 'string') result[result.length - 1] = last + node
    else result.push(node)
  }
  return result
}
