/** Among these is what XML 1.0 cannot hold, not even as a reference. */
const SPECIAL = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu
/** But those it can: tab, line ends, and the control characters from 127 on. */
const POSSIBLE = /^[\t\n\r\x7f-\x9f]$/

const ESCAPED: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

/** A text with `&`, `<`, `>` and carriage returns escaped. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => ESCAPED[character] ?? '')
}

/** A text with `other` in place of each character that XML cannot hold. */
export function withoutImpossible(text: string, other: (character: string) => string = () => ''): string {
  return text.replace(SPECIAL, (character) => (POSSIBLE.test(character) ? character : other(character)))
}

/** A text as the content of an element, without what XML cannot hold. */
export function xmlContent(text: string): string {
  return escapeXml(withoutImpossible(text))
}

/** A text as the value of an attribute, without what XML cannot hold. */
export function xmlAttribute(text: string): string {
  return xmlContent(text).replace(/["\n\t]/g, (character) => `&#${character.charCodeAt(0)};`)
}
