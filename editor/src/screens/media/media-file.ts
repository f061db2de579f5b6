import type { Json, JsonObject } from 'quire-client'
import { isObject } from '../../model/json.ts'

/** The file of an image or a file. */
export interface MediaFile {
  /** The file as it was uploaded. */
  readonly url: string | null
  /** The smallest size of a picture; null of other files. */
  readonly thumbnail: string | null
}

/** The file of a document of a library; nulls where it has none. */
export function fileOf({ attachment }: JsonObject): MediaFile {
  if (!isObject(attachment)) return { url: null, thumbnail: null }
  const sizes = isObject(attachment._urls) ? attachment._urls : {}
  const url = textOrNull(attachment._url)
  return { url, thumbnail: textOrNull(sizes['one-sixth']) ?? (attachment.group === 'images' ? url : null) }
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}
