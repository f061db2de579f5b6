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
