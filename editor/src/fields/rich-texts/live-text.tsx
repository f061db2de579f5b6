import { effect } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useEditor } from '../../data/editor.ts'
import { findDocuments, titleOfDocument } from '../../data/linked-documents.ts'
import { choosePicture, storePicture } from '../../data/uploads/text-pictures.ts'
import { useLanguage } from '../../data/use-language.ts'
import { announce } from '../../ui/live.tsx'
import { cleaned } from '../../ui/safe-html.tsx'
import { t } from '../../words/words.ts'
import { afterPress } from './after-press.ts'
import type { Entrance, RichTextBoxProps } from './rich-text-props.ts'

interface LiveTextProps extends RichTextBoxProps {
  readonly entrance: Entrance
  readonly onLeave: () => void
}

/** The document has one history for all that it holds. */
const NOT_HERE = ['undo', 'redo']

/** Where the focus goes from a text that is left by Escape: the head of its block, or the box around the text. */
function headAround(host: HTMLElement | null): HTMLElement | null {
  const head = host?.closest('.q-item')?.querySelector<HTMLElement>('.q-item-title')
  return head ?? host?.closest<HTMLElement>('.q-rich-text-box') ?? null
}

/** A text that is being edited. Its changes are those of its field; it ends when the focus leaves it. */
export function LiveText({ leaf, label, describedBy, entrance, onLeave }: LiveTextProps) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useEditor()
  const { lang, dir } = useLanguage()
  useLayoutEffect(() => {
    if (host.current === null) return
    const { toolbar, styles } = leaf.field.options
    const text = entrance.part.mountRichText(host.current, {
      html: String(leaf.value.peek() ?? ''),
      toolbar: toolbar?.filter((tool) => !NOT_HERE.includes(tool)),
      styles,
      label,
      describedBy,
      direction: dir,
      language: lang,
      t: t.richText,
      isUndoneOutside: true,
      onChange: (html) => leaf.set(html),
      onLeave() {
        headAround(host.current)?.focus()
        onLeave()
      },
      onRefused: announce,
      pickDocument: (words, signal) => findDocuments(editor, words, signal),
      titleOf: (id, signal) => titleOfDocument(editor, id, signal),
      pickImage: () => choosePicture(editor),
      uploadImage: (file, signal) => storePicture(editor, file, signal),
      trustedHtml: cleaned,
    })
    const isLeft = document.activeElement !== null && document.activeElement !== document.body
    text.place(entrance.at)
    if (!isLeft) text.focus()
    for (const key of entrance.typed) text.type(key)
    const follow = effect(() => text.update(String(leaf.value.value ?? '')))
    if (isLeft) onLeave()
    return () => {
      follow()
      text.destroy()
    }
  }, [])
  return (
    <div
      ref={host}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && host.current?.contains(relatedTarget)) return
        afterPress(() => {
          // Where the whole window lost the focus, somebody comes back.
          if (document.hasFocus() && !host.current?.contains(document.activeElement)) onLeave()
        })
      }}
    />
  )
}
