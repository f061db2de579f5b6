import { type CmsError, invalidFields, type Problem } from '../base/errors.ts'
import type { Crop } from '../model/values/crop.ts'
import { encode, imageFacts, isAnimated, openRaster, processImage } from './raster.ts'
import { type ImageFile, type MadeImage, sizesOf } from './sizes.ts'

/** The refusal to crop a file of this kind: `invalid`, at the attachment's `_id` (§4.3). */
export function refuseCrop(extension: string): CmsError {
  return invalidFields([{ path: '_id', name: 'invalid', message: `${extension} files cannot be cropped.` }])
}

/** The images made of a crop: the part itself at full size, and its six sizes. */
interface MadeCrop {
  readonly original: Buffer
  readonly sizes: readonly MadeImage[]
}

/**
 * Reads a crop from a request (§4.3): four whole numbers, a rectangle inside an image of these dimensions. Throws
 * `invalid` naming every wrong number.
 */
export function readCrop(input: { readonly [name: string]: unknown }, image: { width: number; height: number }): Crop {
  const problems: Problem[] = []
  const read = (name: keyof Crop, least: number): number => {
    const value = input[name]
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
    problems.push({
      path: `crop.${name}`,
      name: 'invalid',
      message: `${name} must be a whole number of at least ${least}.`,
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
    const message = `left and width together may be at most ${image.width}, the width of the image.`
    problems.push({ path: 'crop.width', name: 'max', message })
  }
  if (crop.top + crop.height > image.height) {
    const message = `top and height together may be at most ${image.height}, the height of the image.`
    problems.push({ path: 'crop.height', name: 'max', message })
  }
  return problems
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
