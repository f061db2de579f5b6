import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { refuseFile } from '../base/errors.ts'
import { cutText, slugify, sortText } from '../base/text.ts'
import { DEFAULT_FILE_GROUPS, type FileGroup } from '../model/terms/file-groups.ts'
import { canonicalExtension, detectExtension, groupOf, IMAGE_EXTENSIONS } from './detect-extension.ts'
import { type ImageFacts, measureRaster } from './raster.ts'
import { cleanSvgFile } from './svg-cleaner.ts'

/** The type of an uploaded file, judged by its bytes (§2.3). */
export interface Inspected {
  /** Slugified file name without extension. */
  readonly name: string
  /** File name without extension as lists sort it. */
  readonly title: string
  /** Extension by content, without the dot: `jpg` for a file called `x.png` that holds a JPEG. */
  readonly extension: string
  /** Name of the file group that accepts it. */
  readonly group: string
  /** Bytes. */
  readonly length: number
  /** Hexadecimal. */
  readonly md5: string
  /** Null for files that are not images. */
  readonly image: ImageFacts | null
}

/** The files that a site accepts. */
interface InspectOptions {
  readonly groups?: readonly FileGroup[]
  /** Bytes of memory that decoding one image may take. */
  readonly imageMemory?: number
}

/**
 * Finds out what a local file really is (§4.3). An SVG is cleaned in place. Raster images are measured by their
 * headers; `makeSizes` decodes them. Throws `invalid` for an empty file, for content that contradicts the name, for too
 * many pixels, and for files that no group accepts.
 */
export async function inspect(
  path: string,
  fileName: string,
  { groups = DEFAULT_FILE_GROUPS, imageMemory = 600_000_000 }: InspectOptions = {},
): Promise<Inspected> {
  const { name, title, extension: claimed } = readFileName(fileName)
  const extension = await detectExtension(path, claimed, groups)
  const group = groupOf(extension, groups)
  if (group === undefined) throw refuseFile(`Files of the type ${extension} are not accepted here.`)
  const image = await factsOf(path, extension, imageMemory)
  return { name, title, extension, group: group.name, image, ...(await digest(path)) }
}

async function factsOf(path: string, extension: string, memory: number): Promise<ImageFacts | null> {
  if (extension === 'svg') return await cleanSvgFile(path)
  return IMAGE_EXTENSIONS.includes(extension) ? await measureRaster(path, extension, memory) : null
}

async function digest(path: string): Promise<{ length: number; md5: string }> {
  const hash = createHash('md5')
  let length = 0
  // `as`: without an encoding a stream of a file is one of buffers.
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    length += chunk.length
  }
  return { length, md5: hash.digest('hex') }
}

const NAME_LENGTH = 100
/** Stored names also hold an id, a crop and a size, and may have 255 bytes in all. */
const NAME_BYTES = 150
const DEVICES = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/

/**
 * Takes a sent file name apart (§4.3): folders, control characters and direction marks are dropped, the rest is
 * slugified and cut to 100 characters and 150 bytes. Reserved device names of Windows get the prefix `file-`. The
 * extension, which the bytes may contradict, is in lower case, `jpg` for `jpeg`, or empty.
 */
export function readFileName(sent: string): Pick<Inspected, 'name' | 'title' | 'extension'> {
  const last = sent.toWellFormed().replace(/\p{C}/gu, '').split(/[/\\]/).at(-1) ?? ''
  const [, stem = '', ending = ''] = /^(.*?)(?:\.([A-Za-z0-9]{1,10}))?$/s.exec(last.trimEnd()) ?? []
  const name = shortened(slugify(cutText(stem, NAME_LENGTH))) || 'file'
  return {
    name: DEVICES.test(name) ? `file-${name}` : name,
    title: sortText(stem) || 'file',
    extension: canonicalExtension(ending),
  }
}

function shortened(name: string): string {
  let short = name
  for (let length = NAME_LENGTH; Buffer.byteLength(short) > NAME_BYTES; length -= 1) short = cutText(name, length)
  return short.replace(/-+$/, '')
}
