/** Bounds of a value, both included. */
export interface Bounds<Bound> {
  readonly min?: Bound | undefined
  readonly max?: Bound | undefined
}

/** One of the values to choose from, and its name for people. */
export interface Choice {
  readonly value: string | number | boolean | null
  readonly label: string
}

/** A value in the index: `text` is folded (case, at most 300 characters), `number` for numbers, booleans and dates. */
export interface IndexValue {
  readonly text: string | null
  readonly number: number | null
}

/** A row of the index that lists find documents by. */
export interface IndexRow extends IndexValue {
  readonly kind: 'value' | 'document' | 'attachment'
  /**
   * The top-level field's; `*` for documents that texts link to, or that are named inside objects, arrays and areas.
   * Attachments go by the top-level field wherever they lie. Behind a colon, for both: the role that is needed to see
   * them there, if any.
   */
  readonly name: string
}

/** A step of the path that leads to a change (§2.5). */
export interface Segment {
  /** A field's name, or the `_id` of an item, a widget or a related document. */
  readonly name: string
  readonly label: string
  /** Of items and widgets, from 1. */
  readonly ordinal?: number
  /** Of widgets: the text of the field that names them. */
  readonly title?: string
  readonly widgetType?: string
}

/** A step to a part of a value that has fields of its own. */
export type PartSegment =
  | { readonly of: 'item'; readonly name: string; readonly ordinal: number; readonly titleField: string | undefined }
  | { readonly of: 'widget'; readonly name: string; readonly ordinal: number; readonly widgetType: string }
  /** A related document: its title is the label. */
  | { readonly of: 'document'; readonly name: string }

/** A reference of a value to a document of one of some types. */
export interface DocumentReference {
  readonly kind: 'document'
  readonly id: string
  readonly types: readonly string[]
}

/** A reference of a value to a document or an attachment. */
export type Reference =
  | DocumentReference
  /** The field takes files of this group with one of these extensions; any when left out. */
  | {
      readonly kind: 'attachment'
      readonly id: string
      readonly fileGroup?: string | undefined
      readonly accepts?: readonly string[] | undefined
    }

/** How texts call what a value only refers to. */
export interface TextNames {
  documentTitle(docId: string): string
  /** Returns the name of a file; null when it is gone. */
  fileName(attachmentId: string): string | null
}
