import type { Json, JsonObject } from '../../base/json.ts'
import type { CommonValues, ValueOf, ValuesOf } from './infer.ts'
import type { ShownDocument } from './page-data-types.ts'

/** Shows a computed type as one plain object in the editor. */
type Plain<T> = { [Name in keyof T]: T[Name] }

/** A file as answers hold it (§2.3). */
interface ShownAttachment extends JsonObject {
  _id: string
  type: 'attachment'
  name: string
  title: string
  extension: string
  group: string
  length: number
  _url: string
}

/** An image piece as a relationship holds it. */
export interface ShownImage extends ShownDocument {
  alt: string
  attachment: ShownAttachment | null
  _fields: { x?: number | null; y?: number | null; [name: string]: Json | undefined } & JsonObject
}

type ShownIn<F> = F extends { readonly fields: { readonly add: infer Add } } ? ShownValues<Add> : object

/** A related document: `_fields` holds what the relationship says of it. */
type Related<F> = (F extends { readonly withType: '@cms/image' } ? ShownImage : ShownDocument) &
  (F extends { readonly fields: object } ? { _fields: ShownIn<F> } : { _fields: JsonObject })

/** The value of a declared field as answers and templates have it. */
export type ShownValue<F> = F extends { readonly type: 'relationship' | 'relationshipReverse' }
  ? Related<F>[]
  : F extends { readonly type: 'attachment' }
    ? ShownAttachment | null
    : F extends { readonly type: 'object' }
      ? Plain<{ _id: string; metaType: 'object' } & ShownIn<F>>
      : F extends { readonly type: 'array' }
        ? Plain<{ _id: string; metaType: 'arrayItem' } & ShownIn<F>>[]
        : ValueOf<F>

/** The values of declared fields as answers and templates have them: relationships filled in, files whole. */
export type ShownValues<Fields> = Plain<
  { -readonly [Name in keyof Fields]: ShownValue<Fields[Name]> } & Omit<ValuesOf<Fields>, keyof Fields>
>

/** A document of a declared type as templates have it. */
export type ShownOf<Fields> = Plain<
  { _id: string; aposDocId: string; type: string; _url: string } & CommonValues &
    Omit<ShownValues<Fields>, keyof CommonValues>
>
