import createSharp, { type CreateRaw, type Sharp } from 'sharp'
import { IMAGE_SIZES, type SizeName } from '../model/image-sizes.ts'
import { encode, type Look } from './encode.ts'
import type { Inspected } from './inspect.ts'
import { inLane } from './lanes.ts'
import { decoding, type ImageFacts, openRaster } from './raster.ts'

/** An image that was made, ready to be kept. */
export interface MadeImage {
  readonly size: SizeName
  readonly content: Buffer
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/** An image in memory between one size and the next. */
interface Pixels {
  readonly data: Buffer
  readonly options: { readonly raw: CreateRaw; readonly animated: boolean }
}

/**
 * Makes the six sizes of an uploaded image (decisions 4.3), largest first, in its own format, upright, in sRGB with 8
 * bits and without metadata. The whole image is decoded: one that is damaged or cut off is `invalid`, so this comes
 * before anything is kept. Empty for an SVG, which fits every size as it is, and for what is no image.
 */
export async function makeSizes(
  path: string,
  { image, extension }: Pick<Inspected, 'image' | 'extension'>,
): Promise<readonly MadeImage[]> {
  if (image === null || extension === 'svg') return []
  return await inLane(image.width * image.height, () => decoding(() => sizesOf(path, image, extension)))
}

/** The six sizes of an image of these facts, which is under a path or in memory. */
export async function sizesOf(
  source: string | Buffer,
  facts: ImageFacts,
  extension: string,
): Promise<readonly MadeImage[]> {
  const opened = openRaster(source, facts)
  const { delay, loop } = await opened.metadata()
  const made: MadeImage[] = []
  let next = opened
  let base: Pixels | null = null
  for (const size of IMAGE_SIZES) {
    const pixels: Pixels = await shrink(next, size)
    made.push(await finish(pixels, size.name, { extension, delay, loop }))
    if (base === null || !isTransparent(base)) base = pixels
    next = createSharp(base.data, base.options)
  }
  return made
}

/** Half transparent colours lose a little in every step, so that all sizes come from the largest. */
function isTransparent({ options }: Pixels): boolean {
  return options.raw.channels % 2 === 0
}

async function shrink(source: Sharp, bounds: { width: number; height: number }): Promise<Pixels> {
  const { data, info } = await source
    .resize({ width: bounds.width, height: bounds.height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels, pageHeight } = info
  const raw = { width, height, channels, ...(pageHeight !== undefined && { pageHeight }) }
  return { data, options: { raw, animated: pageHeight !== undefined } }
}

async function finish({ data, options }: Pixels, size: SizeName, look: Look): Promise<MadeImage> {
  const { width, height, pageHeight = height } = options.raw
  const content = await encode(createSharp(data, options), look).toBuffer()
  return { size, content, width, height: pageHeight }
}
