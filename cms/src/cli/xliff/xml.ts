import { escapeXml, withoutImpossible } from '../../base/xml.ts'

/** The namespace of XLIFF 2. */
export const XLIFF = 'urn:oasis:names:tc:xliff:document:2.0'

/**
 * A text as content of an XLIFF element that takes inline elements: any text survives, to the last character; what XML cannot
 * hold is named by its code point.
 */
export function xmlText(text: string): string {
  return withoutImpossible(escapeXml(text), (character) => `<cp hex="${hexOf(character)}"/>`)
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
