import type { JsonObject } from '../base/json.ts'

/**
 * What stands between what is stored and what it means now: every document and every version that is read goes through
 * `read`, every one that is written through `write`.
 */
export interface StoredForm {
  /** What was stored of a document of this type → its fields as they are declared now. May change what it is given. */
  read(type: string, stored: JsonObject): JsonObject
  /** The fields of a document or a version → what is stored of them. */
  write(fields: JsonObject): JsonObject
}

/** Fields are stored as they are. */
export const AS_IT_IS: StoredForm = { read: (_type, stored) => stored, write: (fields) => fields }
