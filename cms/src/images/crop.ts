import { type CmsError, invalidFields, type Problem } from '../base/errors.ts'
import type { Crop } from '../model/crop.ts'
import { encode } from './encode.ts'
import type { Inspected } from './inspect.ts'
import { inLane } from './lanes.ts'
import { decoding, imageFacts, isAnimated, openRaster } from './raster.ts'
import { type MadeImage, sizesOf } from './sizes.ts'

/** Why a file of this kind is not cropped: `invalid`, at the attachment's `_id` (§4.3). */
export function refuseCrop(extension: string): CmsError {
  return invalidFields([{ path: '_id', name: 'invalid', message: `${extension} files cannot be cropped.` }])
}

/** What a crop is made into: the part itself at full size, and its six sizes. */
export interface MadeCrop {
  readonly original: Buffer
  readonly sizes: readonly MadeImage[]
}

/**
 * Reads a crop from outside (§4.3): four whole numbers, the rectangle inside an image of these lengths, else `invalid`
 * naming every number that is wrong.
 */
export function readCrop(input: { readonly [name: string]: unknown }, image: { width: number; height: number }): Crop {
  const problems: Problem[] = []
  const read = (name: keyof Crop, least: number): number => {
    const value = input[name]
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
    problems.push({
      path: `crop.${name}`,
      name: 'invalid',
      message: `${name} must be a whole number from ${least} up.`,
    })
    return least
  }
  const crop = { top: read('top', 0), left: read('left', 0), width: read('width', 1), height: read('height', 1) }
  problems.push(...outside(crop, image))
  if (problems.length > 0) throw invalidFields(problems)
  return crop
}

function outside(crop: Crop, image: { width: number; height: number }): Problem[] {
  const problems: Problem[] = []
  if (crop.left + crop.width > image.width) {
    const message = `left and width together may be ${image.width} at most: the image is that wide.`
    problems.push({ path: 'crop.width', name: 'max', message })
  }
  if (crop.top + crop.height > image.height) {
    const message = `top and height together may be ${image.height} at most: the image is that high.`
    problems.push({ path: 'crop.height', name: 'max', message })
  }
  return problems
}

/**
 * Cuts a part out of an image, at full size and in the six sizes. The crop was read by `readCrop`. What has no sizes,
 * an SVG too, is `invalid`.
 */
export async function makeCrop(
  path: string,
  { image, extension }: Pick<Inspected, 'image' | 'extension'>,
  crop: Crop,
): Promise<MadeCrop> {
  if (image === null || extension === 'svg') throw refuseCrop(extension)
  return await inLane(image.width * image.height, () =>
    decoding(async () => {
      const opened = openRaster(path, image)
      const { delay, loop } = await opened.metadata()
      const original = await encode(opened.extract(crop), { extension, delay, loop, isOriginal: true }).toBuffer()
      const frames = isAnimated(image) ? image.frames : 1
      return { original, sizes: await sizesOf(original, imageFacts(crop.width, crop.height, frames), extension) }
    }),
  )
}
