import { hasSizes, SIZE_NAMES, type SizeName } from '../../model/terms/image-sizes.ts'
import { alternateOf, type Crop } from '../../model/values/crop.ts'
import type { Attachment } from '../../store/contract/store.ts'

/** The parts of file names. */
type Named = Pick<Attachment, 'id' | 'name' | 'extension'>

/** The prefix of all attachment files. */
export const ATTACHMENTS = 'attachments/'

/**
 * The name of an attachment file (§4.3):
 * `attachments/<id>-<name>[.<top>.<left>.<width>.<height>][.<size>].<extension>`.
 */
export function fileName(
  { id, name, extension }: Named,
  size: SizeName | null = null,
  crop: Crop | null = null,
): string {
  const part = crop === null ? '' : `.${crop.top}.${crop.left}.${crop.width}.${crop.height}`
  return `${ATTACHMENTS}${id}-${name}${part}${size === null ? '' : `.${size}`}.${extension}`
}

/** Returns all names that files of an attachment may have: the original, its sizes, and both names of each crop. */
export function fileNames(attachment: Attachment): string[] {
  const crops = attachment.crops.flatMap((crop) => [crop, alternateOf(crop)])
  const names = [null, ...crops].flatMap((crop) => [
    fileName(attachment, null, crop),
    ...(hasSizes(attachment) ? SIZE_NAMES.map((size) => fileName(attachment, size, crop)) : []),
  ])
  return [...new Set(names)]
}

/** The id of the attachment that a file belongs to; null for other names. */
export function attachmentIdOf(name: string): string | null {
  return /^attachments\/([0-9a-z]{26})-[^/]+$/.exec(name)?.[1] ?? null
}

/**
 * The other name of a crop's file: existing clients put `left` before `top`. Asked for when there is no file under the
 * name itself, so that a crop whose own name it is wins; null for other files.
 */
export function alternativeName(name: string): string | null {
  const [, stem, first, second, rest] =
    /^(attachments\/[^/]+?)\.(\d+)\.(\d+)(\.\d+\.\d+(?:\.[a-z-]+)?\.[a-z0-9]+)$/.exec(name) ?? []
  return stem === undefined || first === second ? null : `${stem}.${second}.${first}${rest}`
}
