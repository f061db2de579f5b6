import { isObject, type JsonObject } from '../../base/json.ts'
import type { Fields } from '../../model/field-type/field-type.ts'
import type { StyleImage } from '../../model/styles/rule-text.ts'
import { cropOf } from '../../model/values/crop.ts'
import { walk } from '../../model/values/walk.ts'
import { urlOf } from './template-images.ts'

/** The URLs of the images that shown style values name: of those that were filled in, which the reader may see. */
export function imageUrls(fields: Fields, values: JsonObject): (image: StyleImage) => string | null {
  const urls = new Map<string, string>()
  for (const { field, values: holder } of walk(fields, values)) {
    const related = field.type.relation === undefined ? null : holder[field.name]
    if (!Array.isArray(related)) continue
    for (const image of related) {
      if (!isObject(image)) continue
      const given = isObject(image._fields) ? image._fields : {}
      urls.set(keyOf(String(image.aposDocId), given), urlOf(image, 'max'))
    }
  }
  return ({ docId, fields }) => urls.get(keyOf(docId, fields)) || null
}

function keyOf(docId: string, fields: Readonly<Record<string, unknown>>): string {
  return `${docId} ${JSON.stringify(cropOf(fields))}`
}
