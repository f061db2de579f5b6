import { hash } from 'node:crypto'
import { xmlText } from './xliff-xml.ts'

/** The namespace of XLIFF's metadata, which programs carry along without showing it to translators. */
export const METADATA = 'urn:oasis:names:tc:xliff:metadata:2.0'

/** What an import needs to know of the export: all texts of a document, and the translation that a unit had then. */
export type MetadataName = 'texts' | 'translation'

/** A value under its name, as metadata of a file or a unit. */
export function metadataXml(name: MetadataName, value: string): string {
  const meta = `<mda:meta type="${name}">${xmlText(value)}</mda:meta>`
  return `<mda:metadata><mda:metaGroup category="quire">${meta}</mda:metaGroup></mda:metadata>`
}

/** By this a text is recognized as the one that was exported. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}

/** The same for all texts of a document, with their paths. */
export function digestOfAll(texts: readonly { readonly path: string; readonly text: string }[]): string {
  return digestOf(JSON.stringify(texts.map(({ path, text }) => [path, text])))
}
