import type { EditorView } from 'prosemirror-view'
import type { ToolName } from '../words/rich-text.ts'
import { element } from './dom.ts'
import { iconOf } from './icons.ts'
import type { RichTextOptions } from './options.ts'
import type { Allowed } from './policy.ts'

/** A control of the toolbar. */
export interface ToolControl {
  /** In the toolbar. */
  readonly control: HTMLElement
  /** Next to the control, such as a menu. */
  readonly others?: readonly HTMLElement[]
  /** Shows what is the case at the selection. */
  update(): void
}

/** The text that controls work on. */
export interface ToolContext {
  readonly host: HTMLElement
  readonly view: EditorView
  readonly options: RichTextOptions
  readonly allowed: Allowed
}

/** The name of a tool that is a button. */
export type ButtonName = Exclude<ToolName, 'styles'>

/** The button of a tool. A press on it leaves the selection of the text where it is. */
export function toolButton(name: ButtonName, { options: { t } }: ToolContext): HTMLButtonElement {
  const label = t.tools[name]
  const button = element('button', { type: 'button', 'aria-label': label, title: label }, iconOf(name))
  button.addEventListener('mousedown', (event) => event.preventDefault())
  return button
}
