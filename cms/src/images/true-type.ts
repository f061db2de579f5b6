import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { fileTypeFromFile, supportedExtensions } from 'file-type'
import type { FileGroup } from '../model/file-groups.ts'
import { groupOf } from './file-groups.ts'
import { markupRoot } from './markup.ts'
import { refuseFile } from './refusal.ts'

/** What the bytes say a file is. */
export interface TrueType {
  /** Without the dot, in its usual spelling. */
  readonly extension: string
  /** MIME type. */
  readonly type: string
}

/** Bytes looked at from both ends of a file. */
const END_LENGTH = 1024 * 1024
const TEXT: readonly string[] = ['txt', 'csv']
const OLD_OFFICE: readonly string[] = ['doc', 'xls', 'ppt']
const MARKUP: readonly string[] = ['html', 'htm', 'xhtml', 'xml', 'xsl', 'xslt', 'rss', 'atom', 'gpx', 'kml']
const PLAIN_TEXT = 'text/plain; charset=utf-8'
const TYPES: { readonly [extension: string]: string } = {
  csv: 'text/csv; charset=utf-8',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  sldx: 'application/vnd.openxmlformats-officedocument.presentationml.slide',
  svg: 'image/svg+xml',
}

/** Both ends of a file as text of single bytes, which together are the whole of a short one. */
interface Ends {
  readonly head: Buffer
  readonly tail: string
}

/**
 * Tells by its bytes what a file is (decisions 4.3). The name counts only where bytes do not tell: text, the old office
 * formats, and kinds that only this site knows. Throws `invalid` for empty, cut off, mislabelled and unwanted files.
 */
export async function trueType(path: string, said: string, groups: readonly FileGroup[]): Promise<TrueType> {
  const ends = await readEnds(path)
  if (ends.head.length === 0) throw refuseFile('The file is empty.')
  const root = markupRoot(ends.head)
  if (root !== null) return typeOfMarkup(root, said, groups)
  const found = await recognise(path)
  if (found !== null && groupOf(found.extension, groups) !== undefined) return whole(found, ends)
  if (groupOf(said, groups) === undefined) throw refuseFile(unwanted(found?.extension ?? said, groups))
  return typeByName(path, said, found?.extension ?? null, ends)
}

async function typeByName(path: string, said: string, found: string | null, ends: Ends): Promise<TrueType> {
  if (TEXT.includes(said)) {
    if (await isText(path, ends.head)) return { extension: said, type: TYPES[said] ?? PLAIN_TEXT }
  } else if (found === 'cfb' && OLD_OFFICE.includes(said)) {
    return { extension: said, type: TYPES[said] ?? '' }
  } else if (found === 'zip' && said === 'sldx') {
    if (ends.tail.includes('ppt/slides/')) return whole({ extension: said, type: TYPES[said] ?? '' }, ends)
  } else if (!isKnown(said) && (found === null || found === 'zip')) {
    return { extension: said, type: (await isText(path, ends.head)) ? PLAIN_TEXT : 'application/octet-stream' }
  }
  const content = found === null ? 'something else' : `a ${found} file`
  throw refuseFile(`The file is called .${said}, but its content is ${content}.`)
}

function typeOfMarkup(root: string, said: string, groups: readonly FileGroup[]): TrueType {
  if (root === 'svg') return { extension: 'svg', type: TYPES.svg ?? '' }
  if (MARKUP.includes(said) && groupOf(said, groups) !== undefined) return { extension: said, type: PLAIN_TEXT }
  throw refuseFile('The file holds HTML, XML or a script, which is not taken here.')
}

async function recognise(path: string): Promise<TrueType | null> {
  const found = await fileTypeFromFile(path)
  if (found === undefined) return null
  return { extension: found.ext === 'apng' ? 'png' : found.ext, type: found.mime }
}

/** Refuses files that stop before their end, and office files with programs in them. */
function whole(found: TrueType, { tail }: Ends): TrueType {
  const isCut =
    (found.extension === 'pdf' && !tail.includes('%%EOF')) ||
    (found.extension === 'rtf' && !/\}[\s\0]*$/.test(tail)) ||
    (found.type.includes('openxmlformats') && !tail.includes('PK\x05\x06'))
  if (isCut) throw refuseFile(`The ${found.extension} file is incomplete. Save it again, then upload it.`)
  if (found.type.includes('openxmlformats') && tail.includes('vbaProject.bin')) {
    throw refuseFile('The document holds macros, which are not taken here. Save it without them.')
  }
  return found
}

/** True for kinds whose bytes would have told, so that a name alone is no proof. */
function isKnown(extension: string): boolean {
  return OLD_OFFICE.includes(extension) || extension === 'svg' || supportedExtensions.has(extension)
}

function unwanted(extension: string, groups: readonly FileGroup[]): string {
  const taken = groups.flatMap((group) => group.extensions).join(', ')
  const kind = extension === '' ? 'without an extension' : `of the kind ${extension}`
  return `Files ${kind} are not taken here. Taken are: ${taken}.`
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

/** True when all of a file is text: UTF-8 or an older encoding of single bytes without control characters, or UTF-16. */
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
