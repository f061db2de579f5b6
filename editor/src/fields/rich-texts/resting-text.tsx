import { useRef } from 'preact/hooks'
import { useLanguage } from '../../data/use-language.ts'
import type { Place, TypedKey } from '../../rich-text/index.ts'
import { SafeHtml } from '../../ui/safe-html.tsx'
import type { RichTextBoxProps } from './rich-text-props.ts'

interface RestingTextProps extends RichTextBoxProps {
  /** Called when the text is entered, by a click or by the keyboard. */
  readonly onEnter: (at: Place) => void
  readonly onType: (key: TypedKey, isAllSelected: boolean) => void
}

/** Names of keys of the browser's editing, as those who repeat them call them. */
const KEYS: Readonly<Record<string, string>> = {
  insertParagraph: 'Enter',
  insertLineBreak: 'Enter',
  deleteContentBackward: 'Backspace',
  deleteContentForward: 'Delete',
}

/** A text that nobody edits: its HTML, which takes keys but never changes by itself. */
export function RestingText({ leaf, id, label, describedBy, isInvalid, onEnter, onType }: RestingTextProps) {
  const pressed = useRef<{ x: number; y: number } | null>(null)
  const language = useLanguage()
  const html = String(leaf.value.value ?? '')
  const common = {
    id,
    role: 'textbox',
    tabIndex: 0,
    'aria-multiline': true,
    'aria-label': label,
    'aria-readonly': leaf.isLocked ? ('true' as const) : undefined,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid ? ('true' as const) : undefined,
    'aria-required': leaf.field.required ? ('true' as const) : undefined,
    class: 'q-rich-text-content',
    ...language,
  } as const
  if (leaf.isLocked)
    return (
      <div {...common}>
        <SafeHtml html={html} class="q-resting" />
      </div>
    )
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys enter it by `beforeinput`.
    // biome-ignore lint/a11y/noStaticElementInteractions: it is a text box, by what is spread.
    <div
      {...common}
      contentEditable
      onPointerDown={({ clientX: x, clientY: y }) => {
        pressed.current = { x, y }
      }}
      onFocus={() => {
        if (pressed.current === null) onEnter('end')
      }}
      onClick={(event) => {
        const { clientX, clientY, currentTarget } = event
        const { left, top } = currentTarget.getBoundingClientRect()
        const from = pressed.current ?? { x: clientX, y: clientY }
        event.preventDefault()
        onEnter({ x: clientX - left, y: clientY - top, from: { x: from.x - left, y: from.y - top } })
        pressed.current = null
      }}
      onBlur={() => {
        pressed.current = null
      }}
      onBeforeInput={(event) => {
        event.preventDefault()
        const text = event.data ?? event.dataTransfer?.getData('text/plain')
        const key = KEYS[event.inputType]
        const isSelected = getSelection()?.isCollapsed === false
        if (key !== undefined) onType({ key }, isSelected)
        else if (text) onType({ text }, isSelected)
      }}
    >
      <SafeHtml html={html} class="q-resting" />
    </div>
  )
}
