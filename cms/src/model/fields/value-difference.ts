import type { Json } from '../../base/json.ts'
import type { Segment } from './segment.ts'

/** A single value that may differ: the field's own, or one inside of it. */
export interface ValueDifference {
  readonly of: 'value'
  /** `leaf` unless it says otherwise. */
  readonly kind?: 'leaf' | 'richText' | 'relationship'
  /** The steps that lead from the field to the value. */
  readonly below?: readonly Segment[]
  /** Null for none. */
  readonly old: Json
  readonly new: Json
  /** Without them `toText` of the field's type makes them. */
  readonly oldText?: string
  readonly newText?: string
}
