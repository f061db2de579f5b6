/** A group of files that a site takes (§2.3): which extensions, without the dot, in lower case. */
export interface FileGroup {
  readonly name: string
  readonly label: string
  readonly extensions: readonly string[]
}

/** What a site takes unless it says otherwise (decisions 4.3). */
export const DEFAULT_FILE_GROUPS: readonly FileGroup[] = [
  { name: 'images', label: 'Images', extensions: ['gif', 'jpg', 'png', 'svg', 'webp', 'avif'] },
  {
    name: 'office',
    label: 'Office',
    extensions: [
      'txt',
      'rtf',
      'pdf',
      'xls',
      'ppt',
      'doc',
      'pptx',
      'sldx',
      'ppsx',
      'potx',
      'xlsx',
      'xltx',
      'csv',
      'docx',
      'dotx',
    ],
  },
]

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
