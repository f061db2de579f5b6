import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import type { Picture, RichTextOptions } from './options.ts'
import type { Allowed } from './policy.ts'
import { schema } from './schema.ts'

const { nodes } = schema

/** A picture with room for its caption. */
export function figureOf({ src, alt, width, height }: Picture): Node {
  const size = { ...(width && { width: String(width) }), ...(height && { height: String(height) }) }
  const image = nodes.image.create({ attributes: { src, alt, ...size } })
  return nodes.figure.create(null, [nodes.line.create(null, image), nodes.caption.create()])
}

/** The pictures among files that were pasted or dropped. */
export function picturesIn(data: DataTransfer): readonly File[] {
  return [...data.files].filter(({ type }) => type.startsWith('image/'))
}

/** Stores files and puts them at the selection, one after another; where that cannot be, says so. */
export async function takePictures(
  view: EditorView,
  files: readonly File[],
  { uploadImage, onRefused, signal, t }: RichTextOptions,
  allowed: Allowed,
): Promise<void> {
  if (!uploadImage || !allowed.tags.has('img')) return onRefused?.(t.image.refused)
  for (const file of files) {
    try {
      const picture = await uploadImage(file, signal ?? new AbortController().signal)
      if (!view.isDestroyed) view.dispatch(view.state.tr.replaceSelectionWith(figureOf(picture)))
    } catch {
      onRefused?.(t.image.failed)
    }
  }
}

/** Whether a picture may stay in a text, by the host's rule or else that it comes from the page's own origin. */
export function isAllowedPicture(src: string, { isAllowedPicture: rule }: RichTextOptions): boolean {
  if (rule) return rule(src)
  const url = URL.parse(src, location.href)
  return url !== null && url.origin === location.origin
}
