import { SaxesParser, type SaxesTagNS } from 'saxes'
import { invalid } from '../../base/errors.ts'
import { htmlOf } from './inline.ts'
import {
  emptyText,
  type InlineText,
  markRepeated,
  type Original,
  originalOf,
  type TranslatedText,
  translationOf,
  type Unit,
} from './translation.ts'
import { characterOf, METADATA, XLIFF } from './xliff-xml.ts'

/** A document as it comes back from translators. */
export interface Translated {
  readonly type: string
  readonly docId: string
  readonly texts: readonly TranslatedText[]
  /** The digest of the texts that were exported; null where a program has dropped it. */
  readonly exported: string | null
  /** The originals of all its texts, translated or not. */
  readonly sources: readonly Original[]
  /** How many of its texts have no translation. */
  readonly untranslated: number
  /** Texts whose tags cannot be understood, with why. */
  readonly problems: readonly { readonly path: string; readonly message: string }[]
}

/** The elements that a piece of a file has completed. */
interface ReadPart {
  readonly languages: { readonly from: string; readonly to: string } | null
  readonly documents: readonly Translated[]
}

/** The name of metadata among the open elements: no element of XLIFF has it. */
const META = 'mda:meta'
const MOST_LEVELS = 256
const NOT_XLIFF = 'The file is not XLIFF 2. Save it as XLIFF 2 in the translation program.'
/** The most characters of one document with its tags, unless options say otherwise. */
const LONGEST_DOCUMENT = 50_000_000
/** The length that an element counts as, and how many texts a document may have. */
const ELEMENT_LENGTH = 20
const MOST_UNITS = 100_000
/** Elements that hold text; all others inside a unit are inline, or not read. */
const TEXTS: ReadonlySet<string> = new Set(['source', 'target', 'data', META])

/**
 * Reads XLIFF 2, piece by piece. Elements of other namespaces are skipped; entities are refused, and so is whatever is
 * too long, too deep, or not XLIFF: these throw `invalid`.
 */
export class XliffReader {
  readonly #parser = new SaxesParser({ xmlns: true })
  readonly #longest: number
  readonly #open: { readonly name: string; readonly closing: string }[] = []
  /** How many elements are open in the one that is skipped, itself counted. */
  #skipped = 0
  #length = 0
  /** Characters that the parser has taken since it found anything in them. */
  #pending = 0
  #languages: ReadPart['languages'] = null
  #documents: Translated[] = []
  #document: { readonly type: string; readonly docId: string; exported: string | null; readonly units: Unit[] } | null =
    null
  #metadata = ''
  #unit: Unit | null = null
  #current: InlineText | null = null
  #dataId = ''

  /** `longest`: the characters of a document with its tags. */
  constructor(longest = LONGEST_DOCUMENT) {
    this.#longest = longest
    this.#parser.on('error', (error) => refuse(`The file is not well formed: ${error.message}`))
    this.#parser.on('doctype', () => refuse('The file has a document type declaration, which is not accepted.'))
    this.#parser.on('opentag', (tag) => this.#opened(tag))
    this.#parser.on('closetag', () => this.#closed())
    this.#parser.on('text', (text) => this.#text(text))
    this.#parser.on('cdata', (text) => this.#text(text))
  }

  /** Takes the next piece of the file; what it completes. */
  write(piece: string): ReadPart {
    this.#pending += piece.length
    if (this.#pending > this.#longest) refuse('A part of the file is too long.')
    this.#parser.write(piece)
    const documents = this.#documents
    this.#documents = []
    return { languages: this.#languages, documents }
  }

  /** The file ends here. */
  end(): void {
    this.#parser.close()
    if (this.#languages === null) refuse(NOT_XLIFF)
  }

  #opened(tag: SaxesTagNS): void {
    this.#pending = 0
    this.#count(ELEMENT_LENGTH)
    if (this.#open.length + this.#skipped > MOST_LEVELS) refuse('The elements of the file are nested too deeply.')
    const isMetadata = tag.uri === METADATA && this.#document !== null && this.#current === null
    if (this.#skipped > 0 || (tag.uri !== XLIFF && !isMetadata)) {
      if (this.#open.length === 0) refuse(NOT_XLIFF)
      this.#skipped += 1
      return
    }
    if (isMetadata) this.#beginMetadata(tag)
    else this.#open.push({ name: tag.local, closing: this.#begin(tag) })
  }

  #beginMetadata({ local, attributes }: SaxesTagNS): void {
    this.#metadata = attributes.type?.value ?? ''
    const isMeta = local === 'meta'
    if (isMeta) this.#current = emptyText()
    this.#open.push({ name: isMeta ? META : local, closing: '' })
  }

  #endMetadata(value: string): void {
    if (this.#metadata === 'texts' && this.#document && !this.#unit) this.#document.exported = value
    if (this.#metadata === 'translation' && this.#unit) this.#unit.exported = value
  }

  /** Begins an element; the tag that stands for its end. */
  #begin(tag: SaxesTagNS): string {
    const attribute = (name: string) => tag.attributes[name]?.value
    if (this.#current !== null) return this.#inline(tag.local, attribute)
    if (tag.local === 'xliff') this.#beginXliff(attribute)
    else if (tag.local === 'file') this.#beginFile(attribute('original') ?? '')
    else if (tag.local === 'unit') this.#beginUnit(attribute('name') ?? '')
    else if (this.#unit) this.#beginInUnit(this.#unit, tag.local, attribute)
    return ''
  }

  #beginXliff(attribute: (name: string) => string | undefined): void {
    const version = attribute('version') ?? ''
    if (!version.startsWith('2.'))
      refuse(`The file is XLIFF ${version.slice(0, 20)}. Save it as XLIFF 2 in the translation program.`)
    this.#languages = { from: attribute('srcLang') ?? '', to: attribute('trgLang') ?? '' }
  }

  #beginFile(original: string): void {
    const slash = original.lastIndexOf('/')
    this.#length = 0
    this.#count(original.length)
    this.#document = {
      type: original.slice(0, Math.max(slash, 0)),
      docId: original.slice(slash + 1),
      exported: null,
      units: [],
    }
  }

  #beginUnit(path: string): void {
    this.#count(path.length)
    this.#unit = { path, data: new Map(), parts: [], exported: null, problem: null }
    this.#document?.units.push(this.#unit)
    if ((this.#document?.units.length ?? 0) > MOST_UNITS) refuse('A document of the file has too many texts.')
  }

  #beginInUnit(unit: Unit, name: string, attribute: (name: string) => string | undefined): void {
    if (name === 'segment' || name === 'ignorable') {
      unit.parts.push({ isIgnorable: name === 'ignorable', source: null, target: null, order: null })
    }
    if (!TEXTS.has(name)) return
    this.#current = emptyText()
    const part = unit.parts.at(-1)
    if (name === 'data') this.#dataId = attribute('id') ?? ''
    else if (part && name === 'source') part.source = this.#current
    else if (part) {
      part.target = this.#current
      part.order = Number(attribute('order') ?? Number.NaN) || null
    }
  }

  #inline(name: string, attribute: (name: string) => string | undefined): string {
    switch (name) {
      case 'cp':
        this.#text(characterOf(attribute('hex') ?? ''))
        return ''
      case 'pc':
        this.#tag(attribute('dataRefStart'))
        return this.#dataOf(attribute('dataRefEnd'))
      case 'ph':
      case 'sc':
      case 'ec':
        this.#tag(attribute('dataRef'))
        return ''
      default:
        // Marks of translators, around text that is as good without them.
        return ''
    }
  }

  #tag(ref: string | undefined): void {
    this.#html(this.#dataOf(ref))
  }

  #dataOf(ref: string | undefined): string {
    const data = ref === undefined ? undefined : this.#unit?.data.get(ref)
    if (data === undefined && this.#unit) this.#unit.problem = 'It has a tag that is not among those of the original.'
    return data ?? ''
  }

  #closed(): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1
      return
    }
    const { name = '', closing = '' } = this.#open.pop() ?? {}
    if (this.#current !== null && !TEXTS.has(name)) {
      if (closing !== '') this.#html(closing)
      return
    }
    if (name === 'data') this.#unit?.data.set(this.#dataId, this.#current?.text ?? '')
    if (name === META) this.#endMetadata(this.#current?.text ?? '')
    if (TEXTS.has(name)) this.#current = null
    if (name === 'unit') this.#unit = null
    if (name === 'file') this.#endFile()
  }

  #endFile(): void {
    if (this.#document === null) return
    const { units, ...document } = this.#document
    markRepeated(units)
    const wrong = units.filter((unit) => unit.problem !== null)
    const texts = units.filter((unit) => unit.problem === null).flatMap(translationOf)
    const untranslated = units.length - wrong.length - texts.length
    const problems = wrong.map(({ path, problem }) => ({ path, message: problem ?? '' }))
    this.#documents.push({ ...document, texts, sources: units.map(originalOf), untranslated, problems })
    this.#document = null
  }

  #text(text: string): void {
    if (this.#current === null || this.#skipped > 0) return
    this.#count(text.length)
    this.#current.text += text
    this.#current.html += htmlOf(text)
  }

  #html(html: string): void {
    if (this.#current === null) return
    this.#count(html.length)
    this.#current.html += html
    this.#current.hasTags = true
    this.#current.tags.push(html)
  }

  #count(length: number): void {
    this.#length += length
    if (this.#length > this.#longest) refuse('A document of the file is too long.')
  }
}

function refuse(message: string): never {
  throw invalid(message)
}
