import type { Attributes, HtmlNode } from './html.ts'

/** A new element of the interface. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

let count = 0

/** An id that no other element of the page has. */
export function newId(): string {
  count += 1
  return `q-rich-text-${count}`
}

/** A tree of HTML as nodes of a document that is not shown: nothing in it is loaded or run. */
export function domOf(nodes: readonly HtmlNode[], hidden: Document): DocumentFragment {
  const fragment = hidden.createDocumentFragment()
  for (const node of nodes) {
    if (typeof node === 'string') {
      fragment.append(node)
      continue
    }
    const { style, ...attributes } = node.attributes
    const made = hidden.createElement(node.tag)
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
    if (style !== undefined) made.style.cssText = style
    made.append(domOf(node.children, hidden))
    fragment.append(made)
  }
  return fragment
}

/** The content of a document that is not shown, as a tree of HTML. Its styles are in `data-style`. */
export function treeOf(parent: ParentNode): readonly HtmlNode[] {
  return [...parent.childNodes].flatMap((node): HtmlNode[] => {
    if (node instanceof Text) return [node.data]
    if (!(node instanceof Element)) return []
    const attributes = Object.fromEntries(
      [...node.attributes].map(({ name, value }) => [name === 'data-style' ? 'style' : name, value]),
    )
    return [{ tag: node.localName, attributes, children: treeOf(node) }]
  })
}
