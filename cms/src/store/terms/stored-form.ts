import type { JsonObject } from '../../base/json.ts'

/**
 * Converts stored content to its present meaning: every document and every version that is read goes through
 * `read`, every one that is written through `write`.
 */
export interface StoredForm {
  /** The stored content of a document of this type → its fields as declared now. May change its argument. */
  read(type: string, stored: JsonObject): JsonObject
  /** The fields of a document or a version → their stored content. */
  write(fields: JsonObject): JsonObject
  /** Whether fields that `read` returned were stored by a process whose site declares them otherwise. */
  isOfFormerSite(fields: JsonObject): boolean
  /** The relationships by which search finds documents by the titles of documents of this type and locale. */
  titleReaders(type: string, locale: string): readonly TitleReader[]
}

/** A relationship of the documents of a type and locale. */
export interface TitleReader {
  readonly type: string
  readonly locale: string
  readonly name: string
}

/** Stores fields unchanged. */
export const UNCHANGED: StoredForm = {
  read: (_type, stored) => stored,
  write: (fields) => fields,
  isOfFormerSite: () => false,
  titleReaders: () => [],
}
