/** A group of files that a site takes (§2.3): which extensions, without the dot, in lower case. */
export interface FileGroup {
  readonly name: string
  readonly label: string
  readonly extensions: readonly string[]
}

/** The default file groups of a site (§4.3). */
export const DEFAULT_FILE_GROUPS: readonly FileGroup[] = [
  { name: 'images', label: 'Images', extensions: ['gif', 'jpg', 'png', 'svg', 'webp', 'avif'] },
  {
    name: 'office',
    label: 'Office',
    extensions: 'txt rtf pdf xls ppt doc pptx sldx ppsx potx xlsx xltx csv docx dotx'.split(' '),
  },
]
