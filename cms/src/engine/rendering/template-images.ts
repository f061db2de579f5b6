import { isObject, type UnknownObject } from '../../base/json.ts'
import { IMAGE_SIZES, type SizeName } from '../../model/terms/image-sizes.ts'

/** The file of an image or file document, or the attachment itself; null when there is none. */
export function attachmentOf(value: unknown): UnknownObject | null {
  if (!isObject(value)) return null
  if (value.type === 'attachment') return value
  return isObject(value.attachment) ? value.attachment : null
}

/** Returns the URL of a file; `size` counts for images that have sizes. Empty when there is none. */
export function urlOf(value: unknown, size: SizeName | 'original' = 'full'): string {
  const attachment = attachmentOf(value)
  if (attachment === null) return isObject(value) ? text(value._url) : ''
  const urls = isObject(attachment._urls) ? attachment._urls : {}
  return text(urls[size]) || text(attachment._url)
}

/** Returns the sizes of an image for `srcset`, largest first; only those that are not larger than the image itself. */
export function srcsetOf(value: unknown): string {
  const attachment = attachmentOf(value)
  if (attachment === null || attachment._isCroppable !== true || !isObject(attachment._urls)) return ''
  const urls = attachment._urls
  const shown = dimensionsOf(value)
  const candidates: string[] = []
  const seen = new Set<number>()
  for (const { name, width, height } of IMAGE_SIZES) {
    const url = text(urls[name])
    if (url === '') continue
    const real = shown === null ? width : fitted(shown, { width, height })
    if (seen.has(real)) continue
    seen.add(real)
    candidates.push(`${url} ${real}w`)
  }
  return candidates.join(', ')
}

/** The width of an image that is fitted into a box and never enlarged. */
function fitted(image: Dimensions, box: Dimensions): number {
  const scale = Math.min(1, box.width / image.width, box.height / image.height)
  return Math.max(1, Math.round(image.width * scale))
}

/** Width and height of an image, in pixels. */
interface Dimensions {
  readonly width: number
  readonly height: number
}

/** The size of the image, or of the crop that the relationship shows of it; null where it is not known. */
export function dimensionsOf(value: unknown): Dimensions | null {
  const attachment = attachmentOf(value)
  if (attachment === null) return null
  const { width, height } = isObject(attachment._crop) ? attachment._crop : attachment
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : null
}

/** The focal point of an image for `object-position`; the centre where nobody has chosen one. */
export function focalPointOf(value: unknown): string {
  const { x, y } = isObject(value) && isObject(value._fields) ? value._fields : {}
  return typeof x === 'number' && typeof y === 'number' ? `${x}% ${y}%` : '50% 50%'
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
