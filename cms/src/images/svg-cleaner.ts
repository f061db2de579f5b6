import { readFile, stat, writeFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SaxesParser, type SaxesTagNS } from 'saxes'
import type { CmsError } from '../base/errors.ts'
import { refuseFile } from '../base/errors.ts'
import { escapeXml, xmlAttribute } from '../base/xml.ts'
import { readXmlText } from './detect-extension.ts'
import { type ImageFacts, imageFacts, refusePixels } from './raster.ts'
import { SvgCost } from './svg-cost.ts'
import { cleanStyle, isSafeReference, isSafeValue, SVG_ATTRIBUTES, SVG_ELEMENTS } from './svg-values.ts'

/** A clean SVG and the dimensions it is shown with, in pixels. */
interface CleanSvg {
  readonly text: string
  readonly width: number
  readonly height: number
}

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'
const XML = 'http://www.w3.org/XML/1998/namespace'
/** Bytes an SVG may have. */
const MAX_BYTES = 5_000_000
/** How much of an SVG is parsed at once. */
const CHUNK_LENGTH = 16 * 1024
/** A style sheet is parsed in one go, so its length and its number of rules and declarations are limited. */
const MAX_STYLE_LENGTH = 1_000_000
const MAX_STYLE_PARTS = 10_000
const MAX_ELEMENTS = 200_000
const MAX_LEVELS = 256

/**
 * Cleans the SVG under `path` in place (§4.3). Throws `invalid` when it is not a well-formed SVG, declares entities,
 * has more than 5 MB, or has more than 100 million pixels.
 */
export async function cleanSvgFile(path: string): Promise<ImageFacts> {
  const { size } = await stat(path)
  if (size > MAX_BYTES) throw refuseFile(`The SVG has more than ${MAX_BYTES / 1e6} MB. Simplify it.`)
  const { text, width, height } = await cleanSvg(readXmlText(await readFile(path)))
  refusePixels(width, height)
  await writeFile(path, text)
  return imageFacts(width, height)
}

/**
 * Rewrites an SVG with elements and attributes of a closed list only: no scripts, events, foreign content, entities, or
 * references that leave the drawing. Yields to other work in between.
 */
async function cleanSvg(text: string): Promise<CleanSvg> {
  const cleaner = new Cleaner()
  const parser = new SaxesParser({ xmlns: true, additionalNamespaces: { '': SVG, xlink: XLINK } })
  parser.on('error', (error) => {
    throw refuseFile(`The SVG is not well formed: ${error.message}`)
  })
  parser.on('doctype', (doctype) => {
    if (doctype.includes('['))
      throw refuseFile('The SVG declares entities, which are not allowed. Save it as plain SVG.')
  })
  parser.on('opentag', (tag) => cleaner.open(tag))
  parser.on('closetag', () => cleaner.close())
  parser.on('text', (content) => cleaner.text(content))
  parser.on('cdata', (content) => cleaner.text(content))
  for (let start = 0; start < text.length; start += CHUNK_LENGTH) {
    parser.write(text.slice(start, start + CHUNK_LENGTH))
    await nextTurn()
  }
  parser.close()
  return cleaner.result()
}

class Cleaner {
  readonly #out: string[] = []
  readonly #open: string[] = []
  readonly #cost = new SvgCost()
  #skipped = 0
  #elements = 0
  #style = ''
  #measured = { width: 0, height: 0 }

  open(tag: SaxesTagNS): void {
    this.#elements += 1
    if (this.#elements > MAX_ELEMENTS || this.#open.length + this.#skipped > MAX_LEVELS) {
      throw tooMany()
    }
    const isRoot = this.#open.length === 0 && this.#skipped === 0
    if (isRoot && (tag.uri !== SVG || tag.local !== 'svg')) throw refuseFile('This is not an SVG image.')
    if (this.#skipped > 0 || tag.uri !== SVG || !SVG_ELEMENTS.has(tag.local) || !isSafeAnimation(tag)) {
      this.#skipped += 1
      return
    }
    this.#open.push(tag.local)
    this.#out.push(`<${tag.local}`)
    const attributes = isRoot ? this.#root(tag) : attributesOf(tag)
    this.#cost.open(attributes)
    for (const [name, value] of attributes) this.#out.push(` ${name}="${xmlAttribute(value)}"`)
    this.#out.push('>')
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1
      return
    }
    this.#cost.close()
    const name = this.#open.pop()
    if (name === 'style') {
      this.#out.push(escapeXml(cleanSheet(this.#style)))
      this.#style = ''
    }
    this.#out.push(`</${name}>`)
  }

  text(content: string): void {
    if (this.#skipped > 0 || this.#open.length === 0) return
    if (this.#open.at(-1) === 'style') this.#style += content
    else this.#out.push(escapeXml(content))
  }

  result(): CleanSvg {
    if (this.#cost.exceedsLimit()) throw tooMany()
    return { text: this.#out.join(''), ...this.#measured }
  }

  #root(tag: SaxesTagNS): Map<string, string> {
    const attributes = attributesOf(tag)
    this.#measured = readSvgSize(attributes)
    return new Map([['xmlns', SVG], ['xmlns:xlink', XLINK], ...attributes])
  }
}

function cleanSheet(text: string): string {
  if (text.length > MAX_STYLE_LENGTH || text.split(/[{;@]/, MAX_STYLE_PARTS + 1).length > MAX_STYLE_PARTS) {
    throw refuseFile('The style sheet of the SVG is too long. Simplify it.')
  }
  return cleanStyle(text)
}

function tooMany(): CmsError {
  return refuseFile('The SVG has too many elements, or uses them too often. Simplify it.')
}

function attributesOf(tag: SaxesTagNS): Map<string, string> {
  const cleaned = new Map<string, string>()
  for (const { uri, local, value } of Object.values(tag.attributes)) {
    const isReference = local === 'href' && (uri === '' || uri === XLINK)
    if (isReference) {
      if (isSafeReference(value.trim(), tag.local)) cleaned.set(uri === XLINK ? 'xlink:href' : 'href', value.trim())
    } else if (uri === XML && (local === 'space' || local === 'lang')) {
      cleaned.set(`xml:${local}`, value)
    } else if (uri === '' && local === 'style') {
      cleaned.set('style', cleanStyle(value))
    } else if (uri === '' && isSafeAttribute(local, value)) {
      cleaned.set(local, value)
    }
  }
  return cleaned
}

function isSafeAttribute(name: string, value: string): boolean {
  return /^aria-[a-z]+$/.test(name) || (SVG_ATTRIBUTES.has(name) && isSafeValue(value))
}

/** Animations may change an attribute of the list, never a reference or a style sheet. */
function isSafeAnimation(tag: SaxesTagNS): boolean {
  const target = tag.attributes.attributeName?.value.trim()
  return target === undefined || (target !== 'style' && target !== 'class' && SVG_ATTRIBUTES.has(target))
}

/** Pixels per CSS unit. */
const UNITS: { readonly [unit: string]: number } = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  em: 16,
  rem: 16,
  ex: 8,
}
/** Characters of an attribute that gives dimensions; longer ones are ignored. */
const MAX_LENGTH = 200
const DEFAULT_SIZE = { width: 300, height: 150 }

/** The dimensions a browser gives an SVG of these attributes by default: whole pixels, at least 1. */
function readSvgSize(attributes: ReadonlyMap<string, string>): { width: number; height: number } {
  const box = readViewBox(attributes.get('viewBox'))
  const width = readLength(attributes.get('width'))
  const height = readLength(attributes.get('height'))
  if (width !== null && height !== null) return rounded(width, height)
  if (box === null) return rounded(width ?? DEFAULT_SIZE.width, height ?? DEFAULT_SIZE.height)
  if (width !== null) return rounded(width, (width * box.height) / box.width)
  if (height !== null) return rounded((height * box.width) / box.height, height)
  return rounded(box.width, box.height)
}

function readLength(text: string | undefined): number | null {
  if (text === undefined || text.length > MAX_LENGTH) return null
  const [, digits, unit = ''] = /^\+?((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const scale = UNITS[unit.toLowerCase()]
  const length = Number(digits) * (scale ?? Number.NaN)
  return Number.isFinite(length) && length > 0 ? length : null
}

function readViewBox(text: string | undefined): { width: number; height: number } | null {
  if (text === undefined || text.length > MAX_LENGTH) return null
  const [, , width = 0, height = 0] = text
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return width > 0 && height > 0 && Number.isFinite(width) && Number.isFinite(height) ? { width, height } : null
}

function rounded(width: number, height: number): { width: number; height: number } {
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
}
