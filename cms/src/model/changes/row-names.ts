import type { TextNames } from '../field-type/text-names.ts'

/** What rows say about documents and files that values only refer to, as far as the caller may know them (§2.5). */
export interface Names extends TextNames {
  /** The title of an image and its address at one third of its size; null for what the caller may not see. */
  image(docId: string): NamedImage | null
  /** The public URL of a document; null where it has none, or may not be seen. */
  documentUrl(docId: string): string | null
  /** The name of the type of images. */
  readonly imageType: string
}

export interface NamedImage {
  readonly text: string
  readonly href: string
}

/** Stands for the title of a document that the caller may not see, or that is gone. */
export const UNNAMED = 'Not available'
