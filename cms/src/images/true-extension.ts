import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { fileTypeFromFile, supportedExtensions } from 'file-type'
import type { FileGroup } from '../model/file-groups.ts'
import { groupOf } from './file-groups.ts'
import { markupRoot } from './markup.ts'
import { refuseFile } from './refusal.ts'

/** Bytes looked at from both ends of a file. */
const END_LENGTH = 1024 * 1024
const TEXT: readonly string[] = ['txt', 'csv']
const OLD_OFFICE: readonly string[] = ['doc', 'xls', 'ppt']
const MARKUP: readonly string[] = ['html', 'htm', 'xhtml', 'xml', 'xsl', 'xslt', 'rss', 'atom', 'gpx', 'kml']
/** Office documents of today, which are archives. */
const OPEN_XML = /^(?:doc|dot|ppt|pps|pot|sld|xls|xlt)x$/

/** Both ends of a file as text of single bytes, which together are the whole of a short one. */
interface Ends {
  readonly head: Buffer
  readonly tail: string
}

/**
 * Tells by its bytes what a file is (decisions 4.3): its extension, without the dot and in its usual spelling. The name
 * counts only where bytes do not tell: text, the old office formats, and kinds that only this site knows. Throws
 * `invalid` for empty, cut off, mislabelled and unwanted files.
 */
export async function trueExtension(path: string, said: string, groups: readonly FileGroup[]): Promise<string> {
  const ends = await readEnds(path)
  if (ends.head.length === 0) throw refuseFile('The file is empty.')
  const root = markupRoot(ends.head)
  if (root !== null) return extensionOfMarkup(root, said, groups)
  const found = await recognise(path)
  if (found !== null && groupOf(found, groups) !== undefined) return whole(found, ends)
  if (groupOf(said, groups) === undefined) throw refuseFile(unwanted(found ?? said, groups))
  return extensionByName(path, said, found, ends)
}

async function extensionByName(path: string, said: string, found: string | null, ends: Ends): Promise<string> {
  if (await mayBe(said, { found, path, ends })) return whole(said, ends)
  const content = found === null ? 'something else' : `a ${found} file`
  throw refuseFile(`The file is called .${said}, but its content is ${content}.`)
}

/** True when nothing in a file speaks against what its name says. */
async function mayBe(
  said: string,
  { found, path, ends }: { readonly found: string | null; readonly path: string; readonly ends: Ends },
): Promise<boolean> {
  if (TEXT.includes(said)) return isText(path, ends.head)
  if (OLD_OFFICE.includes(said)) return found === 'cfb'
  if (said === 'sldx') return found === 'zip' && ends.tail.includes('ppt/slides/')
  return !isKnown(said) && (found === null || found === 'zip')
}

function extensionOfMarkup(root: string, said: string, groups: readonly FileGroup[]): string {
  if (root === 'svg') return 'svg'
  if (MARKUP.includes(said) && groupOf(said, groups) !== undefined) return said
  throw refuseFile('The file holds HTML, XML or a script, which is not taken here.')
}

async function recognise(path: string): Promise<string | null> {
  const found = await fileTypeFromFile(path)
  if (found === undefined) return null
  return found.ext === 'apng' ? 'png' : found.ext
}

/** Refuses files that stop before their end, and office files with programs in them. */
function whole(extension: string, { tail }: Ends): string {
  const isOpenXml = OPEN_XML.test(extension)
  const isCut =
    (extension === 'pdf' && !tail.includes('%%EOF')) ||
    (extension === 'rtf' && !/\}[\s\0]*$/.test(tail)) ||
    (isOpenXml && !tail.includes('PK\x05\x06'))
  if (isCut) throw refuseFile(`The ${extension} file is incomplete. Save it again, then upload it.`)
  if (isOpenXml && tail.includes('vbaProject.bin')) {
    throw refuseFile('The document holds macros, which are not taken here. Save it without them.')
  }
  return extension
}

/** True for kinds whose bytes would have told, so that a name alone is no proof. */
function isKnown(extension: string): boolean {
  return extension === 'svg' || supportedExtensions.has(extension)
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
