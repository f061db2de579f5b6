import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { fileTypeFromTokenizer, supportedExtensions } from 'file-type'
import { fromFile } from 'strtok3'
import { refuseFile } from '../base/errors.ts'
import type { FileGroup } from '../model/terms/file-groups.ts'

/** Bytes read from each end of a file. */
const END_LENGTH = 1024 * 1024
const TEXT: readonly string[] = ['txt', 'csv']
const OLD_OFFICE: readonly string[] = ['doc', 'xls', 'ppt']
const MARKUP: readonly string[] = ['html', 'htm', 'xhtml', 'xml', 'xsl', 'xslt', 'rss', 'atom', 'gpx', 'kml']
/** Current office formats, which are ZIP archives. */
const OPEN_XML = /^(?:doc|dot|ppt|pps|pot|sld|xls|xlt)x$/

/** Both ends of a file; each is the whole of a short one. */
interface Ends {
  readonly head: Buffer
  /** One character per byte. */
  readonly tail: string
}

/**
 * Detects what a file is by its bytes (§4.3): its extension, without the dot, in its canonical spelling. The name
 * counts only where bytes cannot tell: text, the old office formats, and types that only this site knows. Throws
 * `invalid` for empty, mislabelled and unwanted files.
 */
export async function detectExtension(path: string, claimed: string, groups: readonly FileGroup[]): Promise<string> {
  const ends = await readEnds(path)
  if (ends.head.length === 0) throw refuseFile('The file is empty.')
  const root = markupRoot(ends.head)
  if (root !== null) return extensionOfMarkup(root, claimed, groups)
  const found = await detect(path)
  if (found !== null && groupOf(found, groups) !== undefined) return withoutMacros(found, ends)
  if (groupOf(claimed, groups) === undefined) throw refuseFile(unwanted(found ?? claimed, groups))
  if (await isPlausible(claimed, { found, path, ends })) return withoutMacros(claimed, ends)
  const content = found === null ? 'something else' : `a ${found} file`
  throw refuseFile(`The file is called .${claimed}, but its content is ${content}.`)
}

/** True when the content of a file does not contradict the extension its name claims. */
async function isPlausible(
  claimed: string,
  { found, path, ends }: { readonly found: string | null; readonly path: string; readonly ends: Ends },
): Promise<boolean> {
  if (TEXT.includes(claimed)) return isText(path, ends.head)
  if (OLD_OFFICE.includes(claimed)) return found === 'cfb'
  if (claimed === 'sldx') return found === 'zip' && ends.tail.includes('ppt/slides/')
  return !isKnown(claimed) && (found === null || found === 'zip')
}

function extensionOfMarkup(root: string, claimed: string, groups: readonly FileGroup[]): string {
  if (root === 'svg') return 'svg'
  if (MARKUP.includes(claimed) && groupOf(claimed, groups) !== undefined) return claimed
  throw refuseFile('The file contains HTML, XML or a script, which is not accepted here.')
}

async function detect(path: string): Promise<string | null> {
  // `fileTypeFromFile` hides from bundlers what it imports.
  const found = await fileTypeFromTokenizer(await fromFile(path))
  if (found === undefined) return null
  return found.ext === 'apng' ? 'png' : found.ext
}

/** Refuses office files that contain macros, or whose directory, which would tell, is missing. */
function withoutMacros(extension: string, { tail }: Ends): string {
  if (!OPEN_XML.test(extension)) return extension
  if (!tail.includes('PK\x05\x06')) {
    throw refuseFile(`The ${extension} file is incomplete. Save it again, then upload it.`)
  }
  if (tail.includes('vbaProject.bin')) {
    throw refuseFile('The document contains macros, which are not accepted here. Save it without them.')
  }
  return extension
}

/** True for types that their bytes identify, so that a name alone proves nothing. */
function isKnown(extension: string): boolean {
  return extension === 'svg' || supportedExtensions.has(extension)
}

function unwanted(extension: string, groups: readonly FileGroup[]): string {
  const accepted = groups.flatMap((group) => group.extensions).join(', ')
  const kind = extension === '' ? 'without an extension' : `of the type ${extension}`
  return `Files ${kind} are not accepted here. Accepted are: ${accepted}.`
}

async function readEnds(path: string): Promise<Ends> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(Math.min(size, END_LENGTH))
    const tail = Buffer.alloc(head.length)
    await file.read(head, 0, head.length, 0)
    await file.read(tail, 0, tail.length, size - tail.length)
    return { head, tail: tail.toString('latin1') }
  } finally {
    await file.close()
  }
}

/** True when a whole file is text without control characters: UTF-8, a single-byte encoding, or UTF-16. */
async function isText(path: string, head: Buffer): Promise<boolean> {
  const mark = head.length < 2 ? 0 : head.readUInt16BE(0)
  const decoder =
    mark === 0xfffe || mark === 0xfeff ? new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be') : LATIN
  // `as`: without an encoding a stream of a file is one of buffers.
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const text = decoder === LATIN ? chunk.toString('latin1') : decoder.decode(chunk, { stream: true })
    if (CONTROLS.test(text)) return false
  }
  return true
}

const LATIN = new TextDecoder('latin1')
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/

const BEGINNING = 256 * 1024
/** The constructs that may precede the first element, with their ends. */
const PROLOG: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
]

/**
 * The name of the first element when a file is markup: `svg` (with any prefix), `html`, …; `?` for markup that begins
 * otherwise, such as a server-side script. Null when it does not begin with `<`.
 */
export function markupRoot(head: Buffer): string | null {
  const text = readXmlText(head.subarray(0, BEGINNING), false).trimStart()
  if (!/^<[A-Za-z_!?%/:]/.test(text)) return null
  return /^<(?:[\w.-]+:)?([A-Za-z][\w.-]*)/.exec(withoutProlog(text))?.[1] ?? '?'
}

function withoutProlog(text: string): string {
  let rest = text
  for (;;) {
    const skip = prologLength(rest)
    if (skip === 0) return rest
    rest = rest.slice(skip).trimStart()
  }
}

function prologLength(text: string): number {
  for (const [start, end] of PROLOG) {
    if (text.startsWith(start)) return endOf(text, end)
  }
  if (!/^<!doctype\s/i.test(text)) return 0
  const end = endOf(text, '>')
  return text.slice(0, end).includes('[') ? endOf(text, '>', text.indexOf(']')) : end
}

function endOf(text: string, mark: string, from = 0): number {
  const index = text.indexOf(mark, Math.max(0, from))
  return index < 0 ? 0 : index + mark.length
}

/** Extensions of files that are processed as images: measured, decoded, scaled. */
export const IMAGE_EXTENSIONS: readonly string[] = ['gif', 'jpg', 'png', 'svg', 'webp', 'avif']

const SYNONYMS: { readonly [extension: string]: string } = { jpeg: 'jpg', jpe: 'jpg', jfif: 'jpg', text: 'txt' }

/** The canonical spelling of an extension: `JPEG` → `jpg`. */
export function canonicalExtension(extension: string): string {
  const lower = extension.toLowerCase()
  return Object.hasOwn(SYNONYMS, lower) ? (SYNONYMS[lower] ?? lower) : lower
}

/** The first group that accepts files of this extension. */
export function groupOf(extension: string, groups: readonly FileGroup[]): FileGroup | undefined {
  return groups.find((group) => group.extensions.some((one) => canonicalExtension(one) === extension))
}

const ENCODINGS: readonly string[] = ['utf-8', 'utf8', 'us-ascii', 'ascii', 'iso-8859-1', 'latin1', 'windows-1252']

/**
 * Decodes XML: UTF-8, UTF-16 with a byte order mark, or a declared Latin encoding. With `isStrict`, malformed bytes and
 * other encodings are `invalid`; without, they are decoded as well as possible.
 */
export function readXmlText(bytes: Buffer, isStrict = true): string {
  const encoding = encodingOf(bytes, isStrict)
  try {
    return new TextDecoder(encoding, { fatal: isStrict }).decode(bytes)
  } catch {
    throw refuseFile(`The SVG is not encoded in ${encoding}. Save it in UTF-8.`)
  }
}

function encodingOf(bytes: Buffer, isStrict: boolean): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0)
  if (mark === 0xfffe) return 'utf-16le'
  if (mark === 0xfeff) return 'utf-16be'
  const declaration = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)["']/.exec(bytes.toString('latin1', 0, 200))
  const declared = declaration?.[1]?.toLowerCase() ?? 'utf-8'
  if (ENCODINGS.includes(declared)) return declared
  if (isStrict) throw refuseFile(`An SVG in the encoding ${declared} is not accepted. Save it in UTF-8.`)
  return 'utf-8'
}
