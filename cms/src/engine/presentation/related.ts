import type { Json, JsonObject } from '../../base/json.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { isNothing } from '../../model/field-type/outside.ts'
import type { DocId } from '../../model/terms/document.ts'

/** A document that a relationship leads to, and what the relationship says of it. */
export interface Related {
  readonly docId: DocId
  readonly fields: JsonObject
}

/**
 * True where a relationship says nothing of a document. An empty value says something where the field has a default:
 * sent back without it, the document would get that.
 */
export function saysNothing({ type, options }: Field, fields: JsonObject): boolean {
  return isNothing(fields) && type.innerFields?.(options).list.some(hasDefault) !== true
}

function hasDefault({ def, type, options }: Field): boolean {
  return def !== undefined || type.innerFields?.(options).list.some(hasDefault) === true
}

/**
 * Returns what to put into an answer for a related document, with what the relationship says of it if that is not null;
 * undefined for one that is not shown. Throws `invalid` when the answer is too long.
 */
export type PlaceRelated = (docId: DocId, fields: JsonObject | null, answer: JsonObject) => Json | undefined

/** Other ones where another text is shown. */
export function relatedKey({ docId, fields }: Related): string {
  return Object.keys(fields).length === 0 ? docId : `${docId} ${JSON.stringify(fields)}`
}

/** A related document as an answer holds it. */
export function withFields(document: JsonObject, fields: JsonObject): JsonObject {
  return { ...document, _fields: fields }
}

/** A relationship of one document that will be filled in. */
export interface RelationshipSlot {
  readonly field: Field
  /** The object that holds the ids, and will hold the documents. */
  readonly values: JsonObject
  /** The document that it belongs to. */
  readonly docId: DocId
  /** The answer for that document. */
  readonly answer: JsonObject
}
