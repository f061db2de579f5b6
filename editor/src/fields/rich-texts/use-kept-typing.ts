import { useRef } from 'preact/hooks'
import type { TypedKey } from '../../rich-text/index.ts'
import type { RichTextBoxProps } from './rich-text-props.ts'
import { typedHtml } from './typed-html.ts'

interface Kept {
  readonly before: string
  readonly keys: readonly TypedKey[]
  readonly html: string
}

/** Puts keys, for which nothing could be loaded that edits the text, at the end of it: there they are saved like all else. */
export function useKeptTyping({ leaf }: Pick<RichTextBoxProps, 'leaf'>) {
  const last = useRef<Kept | null>(null)
  return (more: readonly TypedKey[]) => {
    const now = String(leaf.value.peek() ?? '')
    const known = last.current?.html === now ? last.current : { before: now, keys: [] }
    const keys = [...known.keys, ...more]
    const html = known.before + typedHtml(keys)
    last.current = { before: known.before, keys, html }
    if (html !== now) leaf.set(html)
  }
}
