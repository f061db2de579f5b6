import type { DiffPart } from 'quire-diff'
import type { Json, JsonObject } from '../../base/json.ts'
import type { Field } from '../field-type/field-type.ts'
import type { Segment } from '../field-type/value-terms.ts'
import type { FormatChangeRow } from './format-change-row.ts'

/** The kind of content that changed (§2.5). */
type ChangeKind =
  | 'leaf'
  | 'richText'
  | 'object'
  | 'relationship'
  | 'widget'
  | 'arrayItem'
  /** The order of widgets. */
  | 'area'
  /** The order of items. */
  | 'array'

export type ChangeType = 'added' | 'modified' | 'deleted'

/** A step of the path to a change; `rowOf` adds what it is called. */
export interface Step {
  readonly name: string
  /** Null where it is read from the part itself. */
  readonly label: string | null
  /** An item or a widget. */
  readonly item?: ItemStep
  /** It is a related document, by its id. */
  readonly isDocument?: true
}

/** An item of an array or a widget of an area, as the newer side has it, else the older one. */
export interface ItemStep {
  readonly ordinal: number
  readonly holder: JsonObject
  /** The fields that may name it. */
  readonly titleFields: readonly Field[]
  readonly widgetType?: string
}

/** One difference between two versions of a document; texts that need the store are not in it yet. */
export interface Change {
  /** The place in every version: field names and `_id`s, joined with `.`; for order changes followed by `#order`. */
  readonly key: string
  readonly segments: readonly Step[]
  readonly type: ChangeType
  readonly kind: ChangeKind
  readonly fieldType: string
  /** Null for whole items and widgets, and for what the site no longer declares. */
  readonly field: Field | null
  /** As §2.5 answers them: of relationships lists of ids. */
  readonly old?: Json
  readonly new?: Json
  /** The object that holds the value on either side; of a whole item, widget or object itself. */
  readonly older: JsonObject | null
  readonly newer: JsonObject | null
  /** Where the texts do not come from the field. */
  readonly oldText?: string
  readonly newText?: string
  /** Of order changes: the items in each order. */
  readonly order?: { readonly old: readonly Step[]; readonly new: readonly Step[] }
}

/** How AI took part in a change (§2.5). */
export type Ai = 'changed' | 'assisted' | false

/** An image of a relationship (§2.5). */
export interface ChangedImage {
  readonly text: string
  readonly href: string
  readonly change: 'same' | 'added' | 'removed'
}

/** A change as it is answered (§2.5). */
export interface ChangeRow {
  readonly path: readonly Segment[]
  readonly type: ChangeType
  readonly kind: ChangeKind
  readonly fieldType: string
  readonly old?: Json
  readonly new?: Json
  readonly oldText: string
  readonly newText: string
  readonly diff?: readonly DiffPart[]
  readonly formatChanges?: readonly FormatChangeRow[]
  readonly images?: { readonly old: readonly ChangedImage[]; readonly new: readonly ChangedImage[] }
  readonly ai: Ai
}

/** How many changes there are of each type. */
export type Counts = Readonly<Record<ChangeType, number>>

/** Counts changes by their type. */
export function countChanges(changes: readonly Pick<Change, 'type'>[]): Counts {
  const counts = { added: 0, modified: 0, deleted: 0 }
  for (const { type } of changes) counts[type] += 1
  return counts
}
