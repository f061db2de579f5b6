import createSharp, { type CreateRaw, type Sharp } from 'sharp'
import { IMAGE_SIZES, type SizeName } from '../model/terms/image-sizes.ts'
import { type Crop, refuseCrop } from '../model/values/crop.ts'
import { type Encoding, encode, type ImageFacts, imageFacts, isAnimated, openRaster, processImage } from './raster.ts'

/** The properties of a file: the facts of an image, null for other files, and its extension. */
interface ImageFile {
  readonly image: ImageFacts | null
  readonly extension: string
}

/** A finished size of an image, ready to be stored. */
export interface MadeImage {
  readonly size: SizeName
  readonly content: Buffer
  /** Pixels. */
  readonly width: number
  readonly height: number
}

/** A decoded image between one size and the next. */
interface Pixels {
  readonly data: Buffer
  readonly options: { readonly raw: CreateRaw; readonly animated: boolean }
}

/**
 * Makes the six sizes of an uploaded image (§4.3), largest first, in its own format, upright, in sRGB with 8
 * bits and without metadata. This decodes the whole image, so it comes before anything is stored: a damaged or
 * truncated one is `invalid`. Empty for an SVG, which serves every size as it is, and for files that are not images.
 */
export async function makeSizes(path: string, { image, extension }: ImageFile): Promise<readonly MadeImage[]> {
  if (image === null || extension === 'svg') return []
  return await processImage(image.width * image.height, () => sizesOf(path, image, extension))
}

/** The six sizes of an image, read from a path or from memory. */
async function sizesOf(source: string | Buffer, facts: ImageFacts, extension: string): Promise<readonly MadeImage[]> {
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

/** Partially transparent colours lose precision with each step, so all their sizes are made from the largest. */
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

async function finish({ data, options }: Pixels, size: SizeName, encoding: Encoding): Promise<MadeImage> {
  const { width, height, pageHeight = height } = options.raw
  const content = await encode(createSharp(data, options), encoding).toBuffer()
  return { size, content, width, height: pageHeight }
}

/** The images made of a crop: the part itself at full size, and its six sizes. */
interface MadeCrop {
  readonly original: Buffer
  readonly sizes: readonly MadeImage[]
}

/**
 * Cuts a part out of an image, at full size and in the six sizes. The crop comes from `readCrop`. Files without sizes,
 * SVGs among them, are `invalid`.
 */
export async function makeCrop(path: string, { image, extension }: ImageFile, crop: Crop): Promise<MadeCrop> {
  if (image === null || extension === 'svg') throw refuseCrop(extension)
  return await processImage(image.width * image.height, async () => {
    const opened = openRaster(path, image)
    const { delay, loop } = await opened.metadata()
    const original = await encode(opened.extract(crop), { extension, delay, loop, isOriginal: true }).toBuffer()
    const frames = isAnimated(image) ? image.frames : 1
    return { original, sizes: await sizesOf(original, imageFacts(crop.width, crop.height, frames), extension) }
  })
}
