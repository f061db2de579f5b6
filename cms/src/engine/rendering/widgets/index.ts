import { raw } from '../../../base/html.ts'
import type { DrawBuiltIn } from './built-in.ts'
import { drawFile } from './file.ts'
import { drawImage } from './image.ts'
import { drawColumn, drawLayout } from './layout.ts'
import { drawRichText } from './rich-text.ts'
import { drawVideo } from './video.ts'

/** How built-in widgets are drawn, by their names without the namespace. */
export const builtInWidgets: ReadonlyMap<string, DrawBuiltIn> = new Map<string, DrawBuiltIn>([
  ['rich-text', drawRichText],
  ['image', drawImage],
  ['video', drawVideo],
  // An area has to allow raw HTML by name: whoever may write there is trusted with it.
  ['html', ({ code }) => raw(typeof code === 'string' ? code : '')],
  ['file', drawFile],
  ['layout', drawLayout],
  ['layout-column', drawColumn],
])
