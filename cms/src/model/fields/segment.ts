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
export interface PartSegment {
  readonly name: string
  readonly ordinal: number
  /** Of widgets: what their type is called. Without it the part's title is its label, else `#2`. */
  readonly label?: string
  /** The field that names the part. */
  readonly titleField?: string | undefined
  readonly widgetType?: string
}
