import { hash } from 'node:crypto'
import { invalid } from '../../base/errors.ts'
import { escapeXml, withoutImpossible } from '../../base/xml.ts'

/** The namespace of XLIFF 2. */
export const XLIFF = 'urn:oasis:names:tc:xliff:document:2.0'

/**
 * A text as content of an XLIFF element that takes inline elements: any text survives, to the last character; what XML
 * cannot hold is named by its code point.
 */
export function xmlText(text: string): string {
  return withoutImpossible(escapeXml(text), (character) => `<cp hex="${hexOf(character)}"/>`)
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}

/** The character of a `<cp>`, whose number is hexadecimal. */
export function characterOf(hex: string): string {
  const code = /^[0-9a-f]{1,6}$/i.test(hex) ? Number.parseInt(hex, 16) : Number.NaN
  if (!(code <= 0x10ffff)) throw invalid(`"${hex}" is the number of no character.`)
  return String.fromCodePoint(code)
}

/** The namespace of XLIFF's metadata, which programs carry along without showing it to translators. */
export const METADATA = 'urn:oasis:names:tc:xliff:metadata:2.0'

/** The metadata that an import reads: all texts of a document, and the translation that a unit had then. */
type MetadataName = 'texts' | 'translation'

/** A value under its name, as metadata of a file or a unit. */
export function metadataXml(name: MetadataName, value: string): string {
  const meta = `<mda:meta type="${name}">${xmlText(value)}</mda:meta>`
  return `<mda:metadata><mda:metaGroup category="quire">${meta}</mda:metaGroup></mda:metadata>`
}

/** A digest that recognizes a text as the one that was exported. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}

/** A digest of all texts of a document, with their paths. */
export function digestOfAll(texts: readonly { readonly path: string; readonly text: string }[]): string {
  return digestOf(JSON.stringify(texts.map(({ path, text }) => [path, text])))
}
