import { SaxesParser, type SaxesTagNS } from 'saxes'
import type { CmsError } from '../base/errors.ts'
import { refuseFile } from './refusal.ts'
import { SVG_ATTRIBUTES, SVG_ELEMENTS } from './svg-names.ts'
import { readSvgSize } from './svg-size.ts'
import { cleanStyle, isHarmless, isHarmlessReference } from './svg-values.ts'
import { SvgWeight } from './svg-weight.ts'

/** A clean SVG and how large it is shown, in pixels. */
export interface CleanSvg {
  readonly text: string
  readonly width: number
  readonly height: number
}

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'
const XML = 'http://www.w3.org/XML/1998/namespace'
const MOST_ELEMENTS = 200_000
const MOST_LEVELS = 256

/**
 * Writes an SVG anew with what draws and nothing else (decisions 4.3): elements and attributes of a closed list, no
 * scripts, events, foreign content, entities, or references that leave the drawing. Throws `invalid` for what is not
 * well-formed XML, is no SVG, or declares entities.
 */
export function cleanSvg(text: string): CleanSvg {
  const cleaner = new Cleaner()
  const parser = new SaxesParser({ xmlns: true, additionalNamespaces: { '': SVG, xlink: XLINK } })
  parser.on('error', (error) => {
    throw refuseFile(`The SVG is not well formed: ${error.message}`)
  })
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) throw refuseFile('The SVG declares entities, which is not taken. Save it as plain SVG.')
  })
  parser.on('opentag', (tag) => cleaner.open(tag))
  parser.on('closetag', () => cleaner.close())
  parser.on('text', (content) => cleaner.text(content))
  parser.on('cdata', (content) => cleaner.text(content))
  parser.write(text).close()
  return cleaner.result()
}

class Cleaner {
  readonly #out: string[] = []
  readonly #open: string[] = []
  readonly #weight = new SvgWeight()
  #skipped = 0
  #elements = 0
  #style = ''
  #measured = { width: 0, height: 0 }

  open(tag: SaxesTagNS): void {
    this.#elements += 1
    if (this.#elements > MOST_ELEMENTS || this.#open.length + this.#skipped > MOST_LEVELS) {
      throw tooMany()
    }
    const isRoot = this.#open.length === 0 && this.#skipped === 0
    if (isRoot && (tag.uri !== SVG || tag.local !== 'svg')) throw refuseFile('This is not an SVG image.')
    if (this.#skipped > 0 || tag.uri !== SVG || !SVG_ELEMENTS.has(tag.local) || !isHarmlessAnimation(tag)) {
      this.#skipped += 1
      return
    }
    this.#open.push(tag.local)
    this.#out.push(`<${tag.local}`)
    const attributes = isRoot ? this.#root(tag) : attributesOf(tag)
    this.#weight.open(attributes)
    for (const [name, value] of attributes) this.#out.push(` ${name}="${escapeAttribute(value)}"`)
    this.#out.push('>')
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1
      return
    }
    this.#weight.close()
    const name = this.#open.pop()
    if (name === 'style') {
      this.#out.push(escapeText(cleanStyle(this.#style)))
      this.#style = ''
    }
    this.#out.push(`</${name}>`)
  }

  text(content: string): void {
    if (this.#skipped > 0 || this.#open.length === 0) return
    if (this.#open.at(-1) === 'style') this.#style += content
    else this.#out.push(escapeText(content))
  }

  result(): CleanSvg {
    if (this.#weight.isTooMuch()) throw tooMany()
    return { text: this.#out.join(''), ...this.#measured }
  }

  #root(tag: SaxesTagNS): Map<string, string> {
    const attributes = attributesOf(tag)
    this.#measured = readSvgSize(attributes)
    return new Map([['xmlns', SVG], ['xmlns:xlink', XLINK], ...attributes])
  }
}

function tooMany(): CmsError {
  return refuseFile('The SVG has too many elements, or uses them too often. Simplify it.')
}

function attributesOf(tag: SaxesTagNS): Map<string, string> {
  const kept = new Map<string, string>()
  for (const { uri, local, value } of Object.values(tag.attributes)) {
    const isReference = local === 'href' && (uri === '' || uri === XLINK)
    if (isReference) {
      if (isHarmlessReference(value.trim(), tag.local)) kept.set(uri === XLINK ? 'xlink:href' : 'href', value.trim())
    } else if (uri === XML && (local === 'space' || local === 'lang')) {
      kept.set(`xml:${local}`, value)
    } else if (uri === '' && local === 'style') {
      kept.set('style', cleanStyle(value))
    } else if (uri === '' && isHarmlessAttribute(local, value)) {
      kept.set(local, value)
    }
  }
  return kept
}

function isHarmlessAttribute(name: string, value: string): boolean {
  return /^aria-[a-z]+$/.test(name) || (SVG_ATTRIBUTES.has(name) && isHarmless(value))
}

/** Animations may change what an attribute of the list is, never a reference or a style sheet. */
function isHarmlessAnimation(tag: SaxesTagNS): boolean {
  const target = tag.attributes.attributeName?.value.trim()
  return target === undefined || (target !== 'style' && target !== 'class' && SVG_ATTRIBUTES.has(target))
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function escapeAttribute(value: string): string {
  return escapeText(value)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`)
}
