import type { FormatChange, FormatSide } from 'quire-diff'
import type { TextNames } from '../field-type/value-terms.ts'
import { linkedDocument, shownImage } from '../terms/links.ts'

/** A format change as it is answered: documents and images of the site with their titles and addresses. */
export interface FormatChangeRow extends Omit<FormatChange, 'old' | 'new'> {
  readonly old?: FormatSideRow
  readonly new?: FormatSideRow
}

/** One side of a format change as it is answered. */
interface FormatSideRow {
  readonly text: string
  readonly href?: string
  readonly url?: string
}

/** Adds to a format change what the store knows of the images and the linked documents in it. */
export function formatChangeRow(format: FormatChange, names: Names): FormatChangeRow {
  const { old, new: now, ...change } = format
  const isLink = change.change === 'link' || change.change === 'imageLink'
  const sideRow = (side: FormatSide) => (isLink ? linkRow(side, names) : imageRow(side, names))
  return { ...imageRow(change, names), ...(old && { old: sideRow(old) }), ...(now && { new: sideRow(now) }) }
}

function linkRow(side: FormatSide, names: Names): FormatSideRow {
  const documentId = linkedDocument(side.text)
  if (documentId === undefined) return side
  const url = names.documentUrl(documentId)
  return { ...side, text: names.documentTitle(documentId), ...(url !== null && { url }) }
}

/** Names an image by its title, if the caller may see it; its address stays as it is in the text. */
function imageRow<Row extends FormatSide>(row: Row, names: Names): Row {
  const imageId = row.href === undefined ? undefined : shownImage(row.href)
  return imageId === undefined ? row : { ...row, ...(names.image(imageId) ?? { text: UNNAMED }) }
}

/** Looks up titles and URLs of referenced documents and files, as far as the caller may see them (§2.5). */
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
