import { UsageError } from '../failure.ts'

/** The namespace of XLIFF 2. */
export const XLIFF = 'urn:oasis:names:tc:xliff:document:2.0'

/** Among these is what XML 1.0 cannot hold, not even as a reference. */
const SPECIAL = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu
/** But those it can: tab, line ends, and the control characters from 127 on. */
const POSSIBLE = /^[\t\n\r\x7f-\x9f]$/

const ESCAPED: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

/**
 * A text as content of an XLIFF element that takes inline elements: any text survives, to the last character; what XML cannot
 * hold is named by its code point.
 */
export function xmlText(text: string): string {
  return text
    .replace(/[&<>\r]/g, (character) => ESCAPED[character] ?? '')
    .replace(SPECIAL, (character) => (POSSIBLE.test(character) ? character : `<cp hex="${hexOf(character)}"/>`))
}

/** A text as the value of an attribute, without what XML cannot hold. */
export function xmlAttribute(text: string): string {
  const possible = text.replace(SPECIAL, (character) => (POSSIBLE.test(character) ? character : ''))
  const escaped = possible.replace(/[&<>\r]/g, (character) => ESCAPED[character] ?? '')
  return escaped.replace(/["\n\t]/g, (character) => `&#${character.charCodeAt(0)};`)
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
