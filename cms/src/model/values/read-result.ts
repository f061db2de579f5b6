import type { Problem } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Field } from '../field-type/field-type.ts'
import type { DocumentReference, Reference } from '../field-type/value-terms.ts'

/** How outside values are read into fields. */
export interface ReadOptions {
  newId(): string
  /** Whether the writer may change this field; the others keep what is stored. */
  mayEdit(field: Field): boolean
  /** Whether asking for another value of a field that the writer may not change is refused, not just ignored. */
  refuses?(field: Field): boolean
  /** Whether the writer must not learn of a stored document; without it, of none. */
  isUnseen?(reference: DocumentReference): boolean
  /** Levels of objects, arrays and areas in one another. */
  readonly maxDepth: number
  /** The stored values that are being replaced; null for a new document. */
  readonly before: JsonObject | null
  /** The values of the copy that the request names, when the other one is read: it may take them. */
  readonly named?: JsonObject | undefined
  /** True for values written by hooks or the service itself: `readOnly` fields are read like the others. */
  readonly trusted?: boolean
  /** A version is restored: nothing is refused, and parts that are no longer allowed are left out. */
  readonly restores?: boolean
  /** A draft is read that may be incomplete (§3.2): lists may have too few items. */
  readonly isUnfinished?: boolean | undefined
}

/** A document or attachment that a value names at `path`. */
export interface NamedReference {
  readonly path: string
  readonly reference: Reference
}

/** The result of reading values from outside. */
export interface ReadResult {
  /** Clean, complete, and sharing nothing with the input. */
  readonly values: JsonObject
  readonly problems: Problem[]
  readonly mustExist: NamedReference[]
  /** Stored documents that the input leaves out; those that the writer was shown do not stay. */
  readonly staysUnseen: NamedReference[]
  /** Paths of fields that the input would change but the writer may not. */
  readonly refused: string[]
}
