import type { JsonObject } from '../base/json.ts'
import type { Fields } from './fields/field-type.ts'
import { storedValue, walk } from './walk.ts'

/** A text that people write and translate (§4.5), where it lies in a document. */
export interface LocatedText {
  /** Items and widgets by their `_id`. */
  readonly path: string
  readonly label: string
  readonly kind: 'text' | 'html'
  readonly text: string
}

/** All texts of a document that are not empty, at any depth, in schema order. */
export function* textsOf(fields: Fields, values: JsonObject): Generator<LocatedText> {
  for (const { field, values: holder, path } of walk(fields, values)) {
    const kind = field.type.translated
    const text = kind === undefined ? null : storedValue(field, holder)
    if (kind !== undefined && typeof text === 'string' && text !== '') yield { path, label: field.label, kind, text }
  }
}
