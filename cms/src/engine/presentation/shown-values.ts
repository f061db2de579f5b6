import type { Json, JsonObject } from '../../base/json.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { type Document, DocumentId } from '../../model/terms/document.ts'
import { blankProperties } from '../../model/values/blank.ts'

/** Which properties of a document are shown. */
export interface ShownProperties {
  /** Secrets never are. */
  readonly fields: readonly ShownField[]
  /** Those besides its fields. */
  readonly values: readonly SystemValue[]
  /** What the caller may do with a copy; null where that is not told. */
  readonly rights: Rights | null
}

/** A shown field, and the names under which it is stored. */
export interface ShownField {
  readonly field: Field
  readonly names: readonly string[]
}

/** A property of a document that is not a field; undefined where a copy has none. */
export interface SystemValue {
  readonly name: string
  of(document: Document): Json | undefined
}

/** The annotations of copies (§2.1), which say what the caller may do. */
export interface Rights {
  readonly published: JsonObject
  readonly draft: JsonObject
  /** Of drafts that were never published. */
  readonly fresh: JsonObject
}

/**
 * The properties of a document itself (§2.1): ids, the values of fields, its URL where that is shown, dates, and what
 * the caller may do with it.
 */
export function shownValues(document: Document, shown: ShownProperties, url: string | null): JsonObject {
  const { id, fields } = document
  const answer: JsonObject = { _id: DocumentId.format(id), aposDocId: id.docId }
  if (id.locale !== '') {
    answer.aposLocale = `${id.locale}:${id.mode}`
    answer.aposMode = id.mode
  }
  answer.type = document.type
  answer.metaType = 'doc'
  for (const { field, names } of shown.fields) {
    let isStored = false
    for (const name of names) {
      const value = fields[name]
      if (value === undefined) continue
      answer[name] = value
      isStored = true
    }
    if (!isStored) Object.assign(answer, blankProperties(field, id.docId))
  }
  if (url !== null) answer._url = url
  for (const { name, of } of shown.values) {
    const value = of(document)
    if (value !== undefined) answer[name] = value
  }
  return shown.rights === null ? answer : Object.assign(answer, rightsTo(document, shown.rights))
}

function rightsTo({ id, wasPublished }: Document, { published, draft, fresh }: Rights): JsonObject {
  if (id.mode === 'published') return published
  return wasPublished ? draft : fresh
}
