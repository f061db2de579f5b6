import type { ControlProps } from '../control.ts'
import { RichTextBox } from './rich-text-box.tsx'

/** A text with headings, links and the like. */
export function RichTextControl(props: ControlProps) {
  return <RichTextBox {...props} label={props.leaf.field.label} />
}
