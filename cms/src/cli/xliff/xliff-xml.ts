import { escapeXml, withoutImpossible } from '../../base/xml.ts'
import { UsageError } from '../command/failure.ts'

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
  if (!(code <= 0x10ffff)) throw new UsageError(`"${hex}" is the number of no character.`)
  return String.fromCodePoint(code)
}
