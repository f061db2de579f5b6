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
