import { raw } from '../../../base/html.ts'
import type { RenderBuiltIn } from './built-in-widget.ts'
import { renderFile } from './file.ts'
import { renderImage } from './image.ts'
import { renderColumn, renderLayout } from './layout.ts'
import { renderRichText } from './rich-text-widget.ts'
import { renderVideo } from './video.ts'

/** How built-in widgets are rendered, by their names without the namespace. */
export const builtInWidgets: ReadonlyMap<string, RenderBuiltIn> = new Map<string, RenderBuiltIn>([
  ['rich-text', renderRichText],
  ['image', renderImage],
  ['video', renderVideo],
  // An area has to allow raw HTML by name: whoever may write there is trusted with it.
  ['html', ({ code }) => raw(typeof code === 'string' ? code : '')],
  ['file', renderFile],
  ['layout', renderLayout],
  ['layout-column', renderColumn],
])
