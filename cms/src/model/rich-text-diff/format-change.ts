/** What a format change was or is on one side (§2.5). */
export interface FormatSide {
  readonly text: string
  /** The address of an image. */
  readonly href?: string
  /** The aposDocId of the document that an internal link leads to: its title and `url` come from the store. */
  readonly documentId?: string
  /** The aposDocId of an image of the site: its title and `href` come from the store. */
  readonly imageId?: string
}

/** A change of formatting that the words of a rich text do not show (§2.5), before the store has been asked. */
export interface FormatChange {
  /** Internal identifier, such as `link` or `imageAlt`. */
  readonly change: string
  readonly type: 'added' | 'modified' | 'deleted'
  readonly label: string
  /** The affected words on one line, or what is reported of an image. */
  readonly text: string
  readonly href?: string
  /** Of an image of the site: its title is the text. */
  readonly imageId?: string
  readonly old?: FormatSide
  readonly new?: FormatSide
}
