import type { JsonObject } from '../../base/json.ts'

/**
 * Converts stored content to its present meaning: every document and every version that is read goes through
 * `read`, every one that is written through `write`.
 */
export interface StoredForm {
  /** What was stored of a document of this type → its fields as they are declared now. May change what it is given. */
  read(type: string, stored: JsonObject): JsonObject
  /** The fields of a document or a version → what is stored of them. */
  write(fields: JsonObject): JsonObject
}

/** Stores fields unchanged. */
export const UNCHANGED: StoredForm = { read: (_type, stored) => stored, write: (fields) => fields }
