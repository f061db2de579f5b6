import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { DEFAULT_FILE_GROUPS, type FileGroup } from '../model/file-groups.ts'
import { groupOf, IMAGE_EXTENSIONS } from './file-groups.ts'
import { type FileName, readFileName } from './file-name.ts'
import { type ImageFacts, measureRaster } from './raster.ts'
import { refuseFile } from './refusal.ts'
import { keepCleanSvg } from './svg.ts'
import { trueExtension } from './true-extension.ts'

/** What an uploaded file really is (§2.3), told by its bytes. */
export interface Inspected {
  /** Slugified file name without extension. */
  readonly name: string
  /** File name without extension as lists sort it. */
  readonly title: string
  /** True extension without the dot: `jpg` also for a file called `x.png` that holds a JPEG. */
  readonly extension: string
  /** Name of the file group that takes it. */
  readonly group: string
  /** Bytes. */
  readonly length: number
  /** In hexadecimal digits. */
  readonly md5: string
  /** Null for what is no image. */
  readonly image: ImageFacts | null
}

/**
 * Finds out what a file of this machine really is (decisions 4.3). An SVG is cleaned, and what is under `path` is then
 * the clean one. Raster images are measured by their headers; `makeSizes` decodes them. Throws `invalid` for an empty
 * file, for what is not what it says it is, for too many pixels, and for what none of the groups takes.
 */
export async function inspect(
  path: string,
  fileName: string,
  groups: readonly FileGroup[] = DEFAULT_FILE_GROUPS,
): Promise<Inspected> {
  const { name, title, extension: said }: FileName = readFileName(fileName)
  const extension = await trueExtension(path, said, groups)
  const group = groupOf(extension, groups)
  if (group === undefined) throw refuseFile(`Files of the kind ${extension} are not taken here.`)
  const image = await factsOf(path, extension)
  return { name, title, extension, group: group.name, image, ...(await weigh(path)) }
}

async function factsOf(path: string, extension: string): Promise<ImageFacts | null> {
  if (extension === 'svg') return await keepCleanSvg(path)
  return IMAGE_EXTENSIONS.includes(extension) ? await measureRaster(path, extension) : null
}

async function weigh(path: string): Promise<{ length: number; md5: string }> {
  const hash = createHash('md5')
  let length = 0
  // `as`: without an encoding a stream of a file is one of buffers.
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    length += chunk.length
  }
  return { length, md5: hash.digest('hex') }
}
