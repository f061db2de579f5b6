/** The words of rich text, in the language of the interface. */
export interface RichTextWords {
  /** The name of the toolbar. */
  readonly toolbar: string
  readonly tools: Readonly<Record<ToolName, string>>
  /** The name of a style that has no label: `h2` is *Heading 2*. */
  readonly style: (tag: string) => string
  readonly link: {
    readonly address: string
    readonly find: string
    readonly title: string
    readonly newTab: string
    readonly toDocument: (title: string) => string
    readonly found: (count: number) => string
    readonly notAnAddress: string
  }
  readonly anchor: { readonly name: string; readonly notAName: string }
  readonly color: { readonly value: string }
  readonly image: { readonly address: string; readonly alt: string; readonly refused: string; readonly failed: string }
  readonly table: Readonly<Record<TableAction, string>>
  readonly use: string
  readonly remove: string
  readonly cancel: string
}

/** An action on a table. */
export type TableAction =
  | 'insert'
  | 'rowBefore'
  | 'rowAfter'
  | 'removeRow'
  | 'columnBefore'
  | 'columnAfter'
  | 'removeColumn'
  | 'headerRow'
  | 'headerColumn'
  | 'merge'
  | 'split'
  | 'removeTable'

/** The name of a tool, as areas declare it. */
export type ToolName =
  | 'styles'
  | 'bold'
  | 'italic'
  | 'underline'
  | 'strike'
  | 'superscript'
  | 'subscript'
  | 'highlight'
  | 'code'
  | 'color'
  | 'link'
  | 'anchor'
  | 'bulletList'
  | 'orderedList'
  | 'blockquote'
  | 'codeBlock'
  | 'horizontalRule'
  | 'image'
  | 'table'
  | 'alignLeft'
  | 'alignCenter'
  | 'alignRight'
  | 'alignJustify'
  | 'undo'
  | 'redo'
