import { SaxesParser } from 'saxes'

/** An element of an XML text, with all texts inside of it. */
export interface XmlElement {
  text: string
  readonly attributes: Readonly<Record<string, string>>
}

/** The elements of a name in their order. Throws where the text is not well-formed, or a prefix is not declared. */
export function elements(xml: string, name: string): XmlElement[] {
  const found: XmlElement[] = []
  const open: XmlElement[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name: tag, attributes }) => {
    const values = Object.values(attributes).map((one) => [one.name, one.value])
    const element = { text: '', attributes: Object.fromEntries(values) }
    open.push(element)
    if (tag === name) found.push(element)
  })
  parser.on('text', (text) => {
    for (const element of open) element.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return found
}
