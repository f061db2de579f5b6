import createSharp, { type CreateRaw, type Sharp } from 'sharp'
import type { Inspected } from './inspect.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { decoding, type ImageFacts, isAnimated, openRaster } from './raster.ts'

/** The sizes every image is made into (decisions 4.3), largest first: pixels that it fits into, never enlarged. */
export const IMAGE_SIZES = [
  { name: 'max', width: 1600, height: 1600 },
  { name: 'full', width: 1140, height: 1140 },
  { name: 'two-thirds', width: 760, height: 760 },
  { name: 'one-half', width: 570, height: 700 },
  { name: 'one-third', width: 380, height: 700 },
  { name: 'one-sixth', width: 190, height: 350 },
] as const

export type ImageSizeName = (typeof IMAGE_SIZES)[number]['name']

/** An image that was made, ready to be kept. */
export interface MadeImage {
  readonly size: ImageSizeName
  readonly content: Buffer
  readonly width: number
  readonly height: number
}

/** Pixels in memory between one size and the next. */
interface Pixels {
  readonly data: Buffer
  readonly raw: CreateRaw & { pageHeight?: number }
}

/**
 * Makes the six sizes of an uploaded image (decisions 4.3), largest first, in its own format, upright, in sRGB with 8
 * bits and without metadata. The whole image is decoded: one that is damaged or cut off is `invalid`, so this comes
 * before anything is kept. Empty for an SVG, which fits every size as it is, and for what is no image.
 */
export async function makeSizes(path: string, { image, extension }: Inspected): Promise<readonly MadeImage[]> {
  if (image === null || extension === 'svg') return []
  return await oneAtATime(() => decoding(() => sizesOf(openRaster(path, image), image, extension)))
}

/** The six sizes of an opened image. */
export async function sizesOf(source: Sharp, facts: ImageFacts, extension: string): Promise<readonly MadeImage[]> {
  const made: Promise<MadeImage>[] = []
  let next = source
  for (const size of IMAGE_SIZES) {
    const pixels = await shrink(next, size)
    made.push(encode(pixels, size.name, facts, extension))
    next = createSharp(pixels.data, { raw: pixels.raw })
  }
  return await Promise.all(made)
}

async function shrink(source: Sharp, { width, height }: { width: number; height: number }): Promise<Pixels> {
  const { data, info } = await source
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const frame = info.pageHeight === undefined ? {} : { pageHeight: info.pageHeight }
  return { data, raw: { width: info.width, height: info.height, channels: info.channels, ...frame } }
}

async function encode(
  { data, raw }: Pixels,
  size: ImageSizeName,
  facts: ImageFacts,
  extension: string,
): Promise<MadeImage> {
  const content = await encodeAs(createSharp(data, { raw }), extension).toBuffer()
  return { size, content, width: raw.width, height: isAnimated(facts) ? (raw.pageHeight ?? raw.height) : raw.height }
}

/** Sets the format an image is written in: its own, at a quality for the web. */
export function encodeAs(image: Sharp, extension: string, animation: { delay?: number[]; loop?: number } = {}): Sharp {
  if (extension === 'png') return image.png()
  if (extension === 'gif') return image.gif(animation)
  if (extension === 'webp') return image.webp({ quality: 80, effort: 2, ...animation })
  if (extension === 'avif') return image.avif({ quality: 55, effort: 0 })
  return image.jpeg({ quality: 80 })
}
