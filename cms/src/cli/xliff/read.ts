import { SaxesParser, type SaxesTagNS } from 'saxes'
import type { GivenText } from '../../engine/documents/set-texts.ts'
import { UsageError } from '../failure.ts'
import { htmlOf } from './inline.ts'
import { XLIFF } from './xml.ts'

/** A document as it comes back from translators. */
export interface Translated {
  readonly type: string
  readonly docId: string
  readonly texts: readonly GivenText[]
  /** How many of its texts have no translation. */
  readonly untranslated: number
  /** Texts whose tags cannot be understood, with why. */
  readonly problems: readonly { readonly path: string; readonly message: string }[]
}

/** What the parser has found since it was asked last. */
export interface Found {
  readonly languages: { readonly from: string; readonly to: string } | null
  readonly documents: readonly Translated[]
}

const MOST_LEVELS = 256
/** Characters of one document with its tags, what an element counts as, and how many texts a document may have. */
const LONGEST_DOCUMENT = 50_000_000
const ELEMENT_LENGTH = 20
const MOST_UNITS = 100_000
/** Elements that hold text; all others inside a unit are inline, or not read. */
const TEXTS: ReadonlySet<string> = new Set(['source', 'target', 'data'])

/** Text with inline elements, as it is gathered. */
interface Gathered {
  text: string
  html: string
  hasTags: boolean
}

interface Part {
  readonly isIgnorable: boolean
  source: Gathered | null
  target: Gathered | null
}

interface Unit {
  readonly path: string
  readonly data: Map<string, string>
  readonly parts: Part[]
  problem: string | null
}

/**
 * Reads XLIFF 2, piece by piece. Elements of other namespaces are skipped; entities are refused, and so is whatever is
 * too long, too deep, or not XLIFF: these throw `UsageError`.
 */
export class XliffReader {
  readonly #parser = new SaxesParser({ xmlns: true })
  readonly #open: { readonly name: string; readonly closing: string }[] = []
  /** How many elements are open in the one that is skipped, itself counted. */
  #skipped = 0
  #length = 0
  /** Characters that the parser has taken since it found anything in them. */
  #pending = 0
  #languages: Found['languages'] = null
  #documents: Translated[] = []
  #document: { readonly type: string; readonly docId: string; readonly units: Unit[] } | null = null
  #unit: Unit | null = null
  #gathered: Gathered | null = null
  #dataId = ''

  constructor() {
    this.#parser.on('error', (error) => refuse(`The file is not well formed: ${error.message}`))
    this.#parser.on('doctype', () => refuse('The file has a document type declaration, which is not accepted.'))
    this.#parser.on('opentag', (tag) => this.#opened(tag))
    this.#parser.on('closetag', () => this.#closed())
    this.#parser.on('text', (text) => this.#text(text))
    this.#parser.on('cdata', (text) => this.#text(text))
  }

  /** Takes the next piece of the file; what it completes. */
  write(piece: string): Found {
    this.#pending += piece.length
    if (this.#pending > LONGEST_DOCUMENT) refuse('A part of the file is too long.')
    this.#parser.write(piece)
    const documents = this.#documents
    this.#documents = []
    return { languages: this.#languages, documents }
  }

  /** The file ends here. */
  end(): void {
    this.#parser.close()
    if (this.#languages === null) refuse('The file is not XLIFF.')
  }

  #opened(tag: SaxesTagNS): void {
    this.#pending = 0
    this.#count(ELEMENT_LENGTH)
    if (this.#open.length + this.#skipped > MOST_LEVELS) refuse('The elements of the file are nested too deeply.')
    if (this.#skipped > 0 || tag.uri !== XLIFF) {
      if (this.#open.length === 0) refuse('The file is not XLIFF 2.')
      this.#skipped += 1
      return
    }
    this.#open.push({ name: tag.local, closing: this.#begin(tag) })
  }

  /** Begins an element; the tag that stands for its end. */
  #begin(tag: SaxesTagNS): string {
    const attribute = (name: string) => tag.attributes[name]?.value
    if (this.#gathered !== null) return this.#inline(tag.local, attribute)
    if (tag.local === 'xliff') this.#beginXliff(attribute)
    else if (tag.local === 'file') this.#beginFile(attribute('original') ?? '')
    else if (tag.local === 'unit') this.#beginUnit(attribute('name') ?? '')
    else if (this.#unit) this.#beginInUnit(this.#unit, tag.local, attribute)
    return ''
  }

  #beginXliff(attribute: (name: string) => string | undefined): void {
    const version = attribute('version') ?? ''
    if (!version.startsWith('2.')) refuse(`The file is XLIFF ${version}. Export it as XLIFF 2.`)
    this.#languages = { from: attribute('srcLang') ?? '', to: attribute('trgLang') ?? '' }
  }

  #beginFile(original: string): void {
    const slash = original.lastIndexOf('/')
    this.#length = 0
    this.#document = { type: original.slice(0, Math.max(slash, 0)), docId: original.slice(slash + 1), units: [] }
  }

  #beginUnit(path: string): void {
    this.#unit = { path, data: new Map(), parts: [], problem: null }
    this.#document?.units.push(this.#unit)
    if ((this.#document?.units.length ?? 0) > MOST_UNITS) refuse('A document of the file has too many texts.')
  }

  #beginInUnit(unit: Unit, name: string, attribute: (name: string) => string | undefined): void {
    if (name === 'segment' || name === 'ignorable') {
      unit.parts.push({ isIgnorable: name === 'ignorable', source: null, target: null })
    }
    if (!TEXTS.has(name)) return
    this.#gathered = { text: '', html: '', hasTags: false }
    const part = unit.parts.at(-1)
    if (name === 'data') this.#dataId = attribute('id') ?? ''
    else if (part && name === 'source') part.source = this.#gathered
    else if (part) part.target = this.#gathered
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
    if (this.#gathered !== null && !TEXTS.has(name)) {
      if (closing !== '') this.#html(closing)
      return
    }
    if (name === 'data') this.#unit?.data.set(this.#dataId, this.#gathered?.text ?? '')
    if (TEXTS.has(name)) this.#gathered = null
    if (name === 'unit') this.#unit = null
    if (name === 'file') this.#endFile()
  }

  #endFile(): void {
    if (this.#document === null) return
    const { units, ...document } = this.#document
    const wrong = units.filter((unit) => unit.problem !== null)
    const texts = units.filter((unit) => unit.problem === null).flatMap(translationOf)
    const untranslated = units.length - wrong.length - texts.length
    const problems = wrong.map(({ path, problem }) => ({ path, message: problem ?? '' }))
    this.#documents.push({ ...document, texts, untranslated, problems })
    this.#document = null
  }

  #text(text: string): void {
    if (this.#gathered === null || this.#skipped > 0) return
    this.#count(text.length)
    this.#gathered.text += text
    this.#gathered.html += htmlOf(text)
  }

  #html(html: string): void {
    if (this.#gathered === null) return
    this.#count(html.length)
    this.#gathered.html += html
    this.#gathered.hasTags = true
  }

  #count(length: number): void {
    this.#length += length
    if (this.#length > LONGEST_DOCUMENT) refuse('A document of the file is too long.')
  }
}

/** The translation of a unit, all of its segments in one; none when one of them has none. */
function translationOf({ path, parts }: Unit): GivenText[] {
  const whole = { path, text: '', html: '', hasTags: false }
  for (const { isIgnorable, source, target } of parts) {
    const isEmpty = target === null || (target.html === '' && source !== null && source.html !== '')
    const part = isEmpty && isIgnorable ? source : target
    if (part === null || (isEmpty && !isIgnorable)) return []
    whole.text += part.text
    whole.html += part.html
    whole.hasTags ||= part.hasTags
  }
  return parts.length === 0 ? [] : [whole]
}

function characterOf(hex: string): string {
  const code = /^[0-9a-f]{1,6}$/i.test(hex) ? Number.parseInt(hex, 16) : Number.NaN
  if (!(code <= 0x10ffff)) refuse(`"${hex}" is the number of no character.`)
  return String.fromCodePoint(code)
}

function refuse(message: string): never {
  throw new UsageError(message)
}
