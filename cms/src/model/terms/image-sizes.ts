/** The sizes every image is made into (§2.3, §4.3), largest first: pixels that it fits into, never enlarged. */
export const IMAGE_SIZES = [
  { name: 'max', width: 1600, height: 1600 },
  { name: 'full', width: 1140, height: 1140 },
  { name: 'two-thirds', width: 760, height: 760 },
  { name: 'one-half', width: 570, height: 700 },
  { name: 'one-third', width: 380, height: 700 },
  { name: 'one-sixth', width: 190, height: 350 },
] as const

/** The name of one of the sizes; the original has none. */
export type SizeName = (typeof IMAGE_SIZES)[number]['name']

/** The names of the sizes, largest first. */
export const SIZE_NAMES: readonly SizeName[] = IMAGE_SIZES.map(({ name }) => name)

/** The names of all files of an image, as `attachmentSizes` takes them (§4.6). */
export const FILE_SIZES = [...SIZE_NAMES, 'original'] as const

/**
 * True for images that are made into sizes; an SVG fits every size as it is. `frames` is null for files that are not
 * images.
 */
export function hasSizes(file: { readonly frames: number | null; readonly extension: string }): boolean {
  return file.frames !== null && file.extension !== 'svg'
}
