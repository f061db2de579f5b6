import createSharp, { type Metadata, type Sharp } from 'sharp'
import { refuseFile } from '../base/errors.ts'
import { Semaphore } from '../base/semaphore.ts'

/** The properties in an image's header. All lengths are pixels as displayed, after the camera's orientation. */
export interface ImageFacts {
  readonly width: number
  readonly height: number
  readonly landscape: boolean
  readonly portrait: boolean
  /** Number of animation frames; 1 for a still image. */
  readonly frames: number
}

/** How many pixels an image may have (§4.3). */
const MAX_PIXELS = 100_000_000

/** Above this many pixels in all frames together, sizes and crops of an animation show its first frame only. */
const MAX_ANIMATED_PIXELS = 25_000_000

/** Seconds after which one processing step of one image is aborted. */
const MAX_SECONDS = 60

/** Images processed at the same time: enough for two processors, and no more, to bound the memory they take. */
const PARALLEL_IMAGES = 2

/** An image of more pixels than this is processed alone. */
const LARGE_PIXELS = 25_000_000

const processing = new Semaphore(PARALLEL_IMAGES)

// No image is processed twice, so libvips need not cache; parallel work comes from PARALLEL_IMAGES.
createSharp.cache(false)
createSharp.concurrency(1)

/** The facts of an image of these dimensions. */
export function imageFacts(width: number, height: number, frames = 1): ImageFacts {
  return { width, height, landscape: width > height, portrait: height > width, frames }
}

/**
 * Measures a gif, jpg, png, webp or avif by its header, without decoding it. Throws `invalid` for another format, for
 * more than 100 million pixels, and for an image that takes more than `memory` bytes to decode.
 */
export async function measureRaster(path: string, extension: string, memory: number): Promise<ImageFacts> {
  const header = await refuseDamage(() => createSharp(path, { limitInputPixels: false, failOn: 'error' }).metadata())
  if (header.format !== FORMATS[extension]) throw refuseFile(`This is not a ${extension} image.`)
  const { width, height } = header.autoOrient
  refusePixels(width, height)
  if (width * height * bytesOfPixel(header, extension) > memory) {
    throw refuseFile(`The image takes too much memory to read as ${extension}. Make it smaller, or save it as JPEG.`)
  }
  return imageFacts(width, height, header.pages ?? 1)
}

/** Bytes a decoder holds for each pixel; 0 where it works row by row. Measured, rounded up. */
function bytesOfPixel({ isProgressive, channels, depth }: Metadata, extension: string): number {
  if (extension === 'avif') return 18
  if (extension === 'gif' || extension === 'webp') return 4
  if (isProgressive !== true) return 0
  return extension === 'png' ? channels * (depth === 'ushort' ? 2 : 1) : 4
}

/** Refuses images of more than 100 million pixels. */
export function refusePixels(width: number, height: number): void {
  if (width * height <= MAX_PIXELS) return
  throw refuseFile(
    `The image has ${width} × ${height} pixels; at most ${MAX_PIXELS / 1e6} million are allowed. Make it smaller.`,
  )
}

/** Opens an image for processing: upright, and with all its frames when they are few enough. */
export function openRaster(source: string | Buffer, facts: ImageFacts): Sharp {
  return createSharp(source, {
    limitInputPixels: MAX_PIXELS,
    failOn: 'error',
    pages: isAnimated(facts) ? -1 : 1,
    sequentialRead: true,
  })
    .timeout({ seconds: MAX_SECONDS })
    .autoOrient()
}

/** True when sizes and crops of this image are animated too. */
export function isAnimated({ width, height, frames }: ImageFacts): boolean {
  return frames > 1 && width * height * frames <= MAX_ANIMATED_PIXELS
}

/** Runs work that decodes an image of this many pixels once there is memory for it; a damaged image is `invalid`. */
export async function processImage<Result>(pixels: number, work: () => Promise<Result>): Promise<Result> {
  return await processing.run(() => refuseDamage(work), pixels > LARGE_PIXELS ? PARALLEL_IMAGES : 1)
}

async function refuseDamage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const refusal = refuseFile(
      'The image is damaged or incomplete. Save it again in your image program, then upload it.',
    )
    refusal.cause = cause
    throw refusal
  }
}

const FORMATS: { readonly [extension: string]: string } = {
  gif: 'gif',
  jpg: 'jpeg',
  png: 'png',
  webp: 'webp',
  avif: 'heif',
}

/** How an image is encoded. */
export interface Encoding {
  readonly extension: string
  /** Milliseconds that each frame of an animation is shown. */
  readonly delay?: number[] | undefined
  /** How often an animation repeats; 0 for ever. */
  readonly loop?: number | undefined
  /** True for originals, which are encoded at high quality. */
  readonly isOriginal?: boolean
}

/**
 * Encodes an image in its own format with settings for the web. They balance size and time: JPEG without a second pass
 * is 4 % larger in a third of the time.
 */
export function encode(image: Sharp, { extension, delay, loop, isOriginal = false }: Encoding): Sharp {
  const animation = { ...(delay && { delay }), ...(loop !== undefined && { loop }) }
  if (extension === 'png') return image.png()
  if (extension === 'gif') return image.gif({ effort: 3, ...animation })
  if (extension === 'webp') return image.webp({ quality: isOriginal ? 92 : 80, effort: 2, ...animation })
  if (extension === 'avif') return image.avif({ quality: isOriginal ? 75 : 55, effort: 0 })
  return image.jpeg({ quality: isOriginal ? 92 : 80, optimiseCoding: isOriginal })
}

/** The library that processes images, with its version. */
export const imageLibrary = `sharp ${createSharp.versions.sharp} (libvips ${createSharp.versions.vips})`
