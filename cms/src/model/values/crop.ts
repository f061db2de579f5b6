import { type CmsError, invalidFields, type Problem } from '../../base/errors.ts'

/** A part of an image, in whole pixels of the image as displayed (§4.3). */
export interface Crop {
  readonly top: number
  readonly left: number
  readonly width: number
  readonly height: number
}

/** The names of a crop's numbers, in the order in which names of files have them. */
export const CROP_NUMBERS = ['top', 'left', 'width', 'height'] as const

/** True when both are the same part of an image. */
export function sameCrop(one: Crop, other: Crop): boolean {
  return CROP_NUMBERS.every((name) => one[name] === other[name])
}

/**
 * The crop whose files have the other names of this one's, with left and top exchanged (§4.3); null when both
 * names are the same.
 */
export function alternateOf({ top, left, width, height }: Crop): Crop | null {
  return top === left ? null : { top: left, left: top, width, height }
}

/** The requested crop, if it has been made; else null. */
export function madeCrop(made: readonly Crop[], requested: Crop | null): Crop | null {
  return requested === null ? null : (made.find((one) => sameCrop(one, requested)) ?? null)
}

/** The crop in the relationship values of an image (its `_fields`); null when incomplete. */
export function cropOf({ top, left, width, height }: { readonly [Name in keyof Crop]?: unknown }): Crop | null {
  if (typeof top !== 'number' || typeof left !== 'number') return null
  return typeof width === 'number' && typeof height === 'number' ? { top, left, width, height } : null
}

/** The refusal to crop a file of this kind: `invalid`, at the attachment's `_id` (§4.3). */
export function refuseCrop(extension: string): CmsError {
  return invalidFields([{ path: '_id', name: 'invalid', message: `${extension} files cannot be cropped.` }])
}

/**
 * Reads a crop from a request (§4.3): four whole numbers, a rectangle inside an image of these dimensions. Throws
 * `invalid` naming every wrong number.
 */
export function readCrop(input: { readonly [name: string]: unknown }, image: Measures): Crop {
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

type Measures = Pick<Crop, 'width' | 'height'>

function outside(crop: Crop, image: Measures): Problem[] {
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
