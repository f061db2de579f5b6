/** A value in the index: `text` is folded (case, at most 300 characters), `number` for numbers, booleans and dates. */
export interface IndexValue {
  readonly text: string | null
  readonly number: number | null
}

/** What lists can find a document by. */
export interface IndexRow extends IndexValue {
  readonly kind: 'value' | 'document' | 'attachment'
  /**
   * The top-level field's; `*` for documents that are named inside objects, arrays and areas. Attachments go by the
   * top-level field wherever they lie, and behind a colon by the role that is needed to see them there, if any.
   */
  readonly name: string
}
