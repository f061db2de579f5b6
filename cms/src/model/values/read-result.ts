import type { Problem } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Field } from '../field-type/field-type.ts'
import type { Reference } from '../field-type/reference.ts'

/** How outside values are read into fields. */
export interface ReadOptions {
  newId(): string
  /** Whether the writer may change this field; the others keep what is stored. */
  mayEdit(field: Field): boolean
  /** Whether asking for another value of a field that the writer may not change is refused, not just ignored. */
  refuses?(field: Field): boolean
  /** Levels of objects, arrays and areas in one another. */
  readonly maxDepth: number
  /** The stored values that are being replaced; null for a new document. */
  readonly before: JsonObject | null
  /** What the copy that a request names had, where the same input is read for the other one: it may have that, too. */
  readonly named?: JsonObject | undefined
  /** What hooks or the service itself wrote: `readOnly` fields are read like the others. */
  readonly trusted?: boolean
  /** A version is restored: nothing is refused, and parts that are no longer allowed are left out. */
  readonly restores?: boolean
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
