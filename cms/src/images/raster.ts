import createSharp, { type Metadata, type Sharp } from 'sharp'
import { refuseFile } from './refusal.ts'

/** What is known of an image from its header. All lengths are pixels as displayed, after the camera's orientation. */
export interface ImageFacts {
  readonly width: number
  readonly height: number
  readonly landscape: boolean
  readonly portrait: boolean
  /** Pictures that are shown one after the other; 1 when it stands still. */
  readonly frames: number
}

/** The most pixels an image may have (decisions 4.3). */
const MOST_PIXELS = 100_000_000

/** Above this many pixels in all frames together, sizes and crops of an animation show its first frame only. */
const MOST_ANIMATED_PIXELS = 25_000_000

/** Bytes of memory that reading one image may take. */
const MOST_BYTES = 600_000_000

/** Seconds after which work on one step of one image is given up. */
const MOST_SECONDS = 60

// Nothing is drawn twice, so libvips need not remember; two images at once (lanes.ts) keep two processors busy.
createSharp.cache(false)
createSharp.concurrency(1)

/** Facts of an image of so many pixels. */
export function imageFacts(width: number, height: number, frames = 1): ImageFacts {
  return { width, height, landscape: width > height, portrait: height > width, frames }
}

/**
 * Measures a gif, jpg, png, webp or avif by its header alone: nothing is decoded. Throws `invalid` when there is no
 * header of that kind, or for more than 100 million pixels.
 */
export async function measureRaster(path: string, extension: string): Promise<ImageFacts> {
  const header = await decoding(() => createSharp(path, { limitInputPixels: false, failOn: 'error' }).metadata())
  if (header.format !== FORMATS[extension]) throw refuseFile(`This is not a ${extension} image.`)
  const { width, height } = header.autoOrient
  refusePixels(width, height)
  if (width * height * bytesOfPixel(header, extension) > MOST_BYTES) {
    throw refuseFile(`The image takes too much memory to read as ${extension}. Make it smaller, or save it as JPEG.`)
  }
  return imageFacts(width, height, header.pages ?? 1)
}

/** Bytes a decoder holds at once for each pixel; 0 where it goes row by row. Measured, rounded up. */
function bytesOfPixel({ isProgressive, channels, depth }: Metadata, extension: string): number {
  if (extension === 'avif') return 18
  if (extension === 'gif' || extension === 'webp') return 4
  if (isProgressive !== true) return 0
  return extension === 'png' ? channels * (depth === 'ushort' ? 2 : 1) : 4
}

/** Refuses images of more than 100 million pixels. */
export function refusePixels(width: number, height: number): void {
  if (width * height <= MOST_PIXELS) return
  throw refuseFile(
    `The image has ${width} × ${height} pixels; at most ${MOST_PIXELS / 1e6} million are taken. Make it smaller.`,
  )
}

/** Opens an image for work: upright, and with all its frames when they are few enough. */
export function openRaster(source: string | Buffer, facts: ImageFacts): Sharp {
  return createSharp(source, {
    limitInputPixels: MOST_PIXELS,
    failOn: 'error',
    pages: isAnimated(facts) ? -1 : 1,
    sequentialRead: true,
  })
    .timeout({ seconds: MOST_SECONDS })
    .autoOrient()
}

/** True when sizes and crops of this image move too. */
export function isAnimated({ width, height, frames }: ImageFacts): boolean {
  return frames > 1 && width * height * frames <= MOST_ANIMATED_PIXELS
}

/** Runs work on an image; what the decoder cannot make sense of is `invalid`. */
export async function decoding<Result>(work: () => Promise<Result>): Promise<Result> {
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
