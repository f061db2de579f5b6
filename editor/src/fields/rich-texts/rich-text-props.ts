import type { Place, TypedKey } from '../../rich-text/index.ts'
import type { ControlProps } from '../control.ts'

/** The part that edits texts. */
type Part = Pick<typeof import('../../rich-text/index.ts'), 'mountRichText'>

/** How a text was entered: where, and what was typed before the part was there. */
export interface Entrance {
  readonly part: Part
  readonly at: Place
  readonly typed: readonly TypedKey[]
}

/** The props of a box of rich text. */
export interface RichTextBoxProps extends ControlProps {
  /** The name of the text. */
  readonly label: string
}
