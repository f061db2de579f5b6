import type { FileGroup } from '../model/terms/file-groups.ts'

/** Extensions of files that are processed as images: measured, decoded, scaled. */
export const IMAGE_EXTENSIONS: readonly string[] = ['gif', 'jpg', 'png', 'svg', 'webp', 'avif']

const SYNONYMS: { readonly [extension: string]: string } = { jpeg: 'jpg', jpe: 'jpg', jfif: 'jpg', text: 'txt' }

/** The canonical spelling of an extension: `JPEG` → `jpg`. */
export function canonicalExtension(extension: string): string {
  const lower = extension.toLowerCase()
  return Object.hasOwn(SYNONYMS, lower) ? (SYNONYMS[lower] ?? lower) : lower
}

/** The first group that accepts files of this extension. */
export function groupOf(extension: string, groups: readonly FileGroup[]): FileGroup | undefined {
  return groups.find((group) => group.extensions.some((one) => canonicalExtension(one) === extension))
}
