import { readFile, stat, writeFile } from 'node:fs/promises'
import { type ImageFacts, imageFacts, refusePixels } from './raster.ts'
import { refuseFile } from './refusal.ts'
import { cleanSvg } from './svg-cleaner.ts'
import { readXmlText } from './xml-text.ts'

/** Bytes an SVG may have. */
const MOST_BYTES = 5_000_000

/**
 * Cleans the SVG under `path` and writes the clean one in its place (decisions 4.3). Throws `invalid` for what is not
 * well formed, is no SVG, has more than 5 MB, or is larger than 100 million pixels.
 */
export async function keepCleanSvg(path: string): Promise<ImageFacts> {
  const { size } = await stat(path)
  if (size > MOST_BYTES) throw refuseFile(`The SVG has more than ${MOST_BYTES / 1e6} MB. Simplify it.`)
  const { text, width, height } = cleanSvg(readXmlText(await readFile(path)))
  refusePixels(width, height)
  await writeFile(path, text)
  return imageFacts(width, height)
}
