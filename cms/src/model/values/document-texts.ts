import type { JsonObject } from '../../base/json.ts'
import type { Field, Fields } from '../field-type/field-type.ts'
import { storedValue, walk } from './walk.ts'

/** A text that people write and translate (§4.5), where it lies in a document. */
export interface LocatedText {
  readonly field: Field
  /** The object that holds it. */
  readonly holder: JsonObject
  /** Items and widgets by their `_id`. */
  readonly path: string
  readonly kind: 'text' | 'html'
  readonly text: string
}

/** Yields all texts of a document, empty ones too, at any depth, in schema order. */
export function* textsOf(fields: Fields, values: JsonObject): Generator<LocatedText> {
  for (const { field, values: holder, path } of walk(fields, values)) {
    const kind = field.type.translated
    if (kind === undefined) continue
    const text = storedValue(field, holder)
    yield { field, holder, path, kind, text: typeof text === 'string' ? text : '' }
  }
}
