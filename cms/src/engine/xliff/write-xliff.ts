import { xmlAttribute } from '../../base/xml.ts'
import type { LocatedText } from '../../model/values/document-texts.ts'
import { inlineXml, OriginalData } from './inline.ts'
import { digestOf, digestOfAll, METADATA, metadataXml, XLIFF, xmlText } from './xliff-xml.ts'

/** A document as it is given to translators. */
export interface Untranslated {
  readonly type: string
  readonly docId: string
  readonly title: string
  readonly texts: readonly Pick<LocatedText, 'path' | 'kind' | 'text' | 'field'>[]
  /** The existing translations, by path. */
  readonly translated: ReadonlyMap<string, string>
  /** The paths of texts that were changed after they were translated. */
  readonly outdated: ReadonlySet<string>
}

/** The languages of a file, and how the second one is written. */
export interface Languages {
  readonly from: string
  readonly to: string
  readonly direction: 'ltr' | 'rtl'
}

/** The beginning of an XLIFF file. */
export function xliffHead({ from, to }: Languages): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="${XLIFF}" xmlns:mda="${METADATA}" version="2.0" srcLang="${languageOf(from)}" trgLang="${languageOf(to)}">
`
}

export const XLIFF_END = '</xliff>\n'

/** The name of a locale as XLIFF writes languages: `fr_CA` is `fr-CA`. */
export function languageOf(locale: string): string {
  return locale.replaceAll('_', '-')
}

/** Writes one document: a unit for each text. */
export function xliffFile(document: Untranslated, number: number, { direction }: Languages): string {
  const { type, docId, title, texts, translated, outdated } = document
  const units = texts.map((one, index) => {
    const translation = { text: translated.get(one.path) ?? '', isOutdated: outdated.has(one.path) }
    return unitXml(one, index + 1, translation)
  })
  const trgDir = direction === 'rtl' ? ' trgDir="rtl"' : ''
  return `<file id="f${number}" original="${xmlAttribute(`${type}/${docId}`)}"${trgDir}>
${metadataXml('texts', digestOfAll(texts))}<notes><note category="title">${noteXml(title)}</note></notes>
${units.join('')}</file>
`
}

interface Translation {
  readonly text: string
  readonly isOutdated: boolean
}

function unitXml(
  { path, kind, text, field }: Untranslated['texts'][number],
  number: number,
  { text: translation, isOutdated }: Translation,
) {
  const data = new OriginalData()
  const xmlOf = (one: string) => (kind === 'html' ? inlineXml(one, data) : xmlText(one))
  const source = element('source', xmlOf(text))
  // A copy of the original is no translation yet.
  const target = translation === '' || translation === text ? '' : element('target', xmlOf(translation))
  const state = target === '' ? '' : ` state="${isOutdated ? 'initial' : 'translated'}"`
  const metadata = target === '' ? '' : metadataXml('translation', digestOf(translation))
  return `<unit id="u${number}" name="${xmlAttribute(path)}">${metadata}<notes><note category="label">${noteXml(field.label)}</note></notes>${data.toXml()}
<segment${state}>${source}${target}</segment></unit>
`
}

function element(name: string, content: string): string {
  return `<${name} xml:space="preserve">${content}</${name}>`
}

/** Notes take no inline elements. */
function noteXml(text: string): string {
  return xmlText(text).replaceAll(/<cp [^>]*>/g, '')
}
