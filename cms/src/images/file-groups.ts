import type { FileGroup } from '../model/file-groups.ts'

/** Extensions of what is worked on as an image: measured, decoded, made into sizes. */
export const IMAGE_EXTENSIONS: readonly string[] = ['gif', 'jpg', 'png', 'svg', 'webp', 'avif']

const SYNONYMS: { readonly [extension: string]: string } = { jpeg: 'jpg', jpe: 'jpg', jfif: 'jpg', text: 'txt' }

/** The one spelling of an extension: `JPEG` → `jpg`. */
export function usualExtension(extension: string): string {
  const lower = extension.toLowerCase()
  return Object.hasOwn(SYNONYMS, lower) ? (SYNONYMS[lower] ?? lower) : lower
}

/** The first group that takes files of this extension. */
export function groupOf(extension: string, groups: readonly FileGroup[]): FileGroup | undefined {
  return groups.find((group) => group.extensions.some((one) => usualExtension(one) === extension))
}
