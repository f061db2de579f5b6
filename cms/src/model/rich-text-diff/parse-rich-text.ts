import { htmlParser } from '../values/html-libraries.ts'
import type { RichElement } from './rich-element.ts'

/** The elements of a sanitised rich text: one without a name holds them all. */
export function parseRichText(html: string): RichElement {
  const root: RichElement = { name: '', opening: '', attributes: {}, children: [] }
  const open: RichElement[] = [root]
  const parser = new (htmlParser().Parser)({
    onopentag(name, attributes) {
      const outer = open.at(-1) ?? root
      // Browsers end a link where another one begins in it; here its words belong to the outer one.
      if (name === 'a' && open.some((above) => above.name === 'a')) open.push(outer)
      else {
        const opening = html.slice(parser.startIndex, parser.endIndex + 1)
        const element = { name, opening, attributes, children: [] }
        outer.children.push(element)
        open.push(element)
      }
    },
    ontext(text) {
      const children = open.at(-1)?.children ?? []
      const last = children.at(-1)
      if (typeof last === 'string') children[children.length - 1] = last + text
      else children.push(text)
    },
    onclosetag() {
      open.pop()
    },
  })
  parser.end(html)
  return root
}
