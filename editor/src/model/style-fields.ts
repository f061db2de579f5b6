import type { FieldInfo, JsonObject, TypeInfo } from 'quire-client'
import { copyField } from './fields.ts'

/** The fields of every document that say nothing about how a site looks. */
export const OF_DOCUMENTS = ['title', 'slug', 'visibility', 'archived']

/** The fields of the styles of a site. */
export function styleFieldsOf({ fields }: TypeInfo): readonly FieldInfo[] {
  return fields.filter(({ name }) => !OF_DOCUMENTS.includes(name))
}

/** The values of the styles in their document. */
export function stylesIn(type: TypeInfo, document: JsonObject): JsonObject {
  return styleFieldsOf(type).reduce<JsonObject>((values, field) => copyField(field, values, document), {})
}
