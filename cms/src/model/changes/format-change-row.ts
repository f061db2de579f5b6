import type { FormatChange, FormatSide } from '../rich-text-diff/format-change.ts'
import type { Names } from './row-names.ts'
import { UNNAMED } from './row-names.ts'

/** A format change as answers show it: what it names has its title and its address. */
export interface FormatChangeRow extends Omit<FormatChange, 'imageId' | 'old' | 'new'> {
  readonly old?: FormatSideRow
  readonly new?: FormatSideRow
}

/** One side of a format change as it is answered. */
export interface FormatSideRow {
  readonly text: string
  readonly href?: string
  readonly url?: string
}

/** Fills in what the store knows of a format change: images, and documents that are linked to. */
export function formatChangeRow(found: FormatChange, names: Names): FormatChangeRow {
  const { imageId, old, new: now, ...change } = found
  return {
    ...change,
    ...(imageId !== undefined && imageNamed(imageId, names)),
    ...(old && { old: sideRow(old, names) }),
    ...(now && { new: sideRow(now, names) }),
  }
}

function sideRow({ documentId, imageId, ...side }: FormatSide, names: Names): FormatSideRow {
  if (imageId !== undefined) return { ...side, ...imageNamed(imageId, names) }
  if (documentId === undefined) return side
  const url = names.documentUrl(documentId)
  return { ...side, text: names.documentTitle(documentId), ...(url !== null && { url }) }
}

function imageNamed(id: string, names: Names): { readonly text: string; readonly href?: string } {
  const image = names.image(id)
  return image ?? { text: UNNAMED }
}
