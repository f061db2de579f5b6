import { type Html, raw } from '../../../base/html.ts'
import type { JsonObject } from '../../../base/json.ts'
import type { Scene } from '../../context.ts'
import type { LinkTargets } from '../rich-text-links.ts'
import { drawFile } from './file.ts'
import { drawImage } from './image.ts'
import { drawColumn, drawLayout } from './layout.ts'
import { drawRichText } from './rich-text.ts'
import { drawVideo } from './video.ts'

/** What was loaded for the built-in widgets of an answer. */
export interface LoadedForWidgets {
  readonly links: LinkTargets
}

type DrawBuiltIn = (widget: JsonObject, scene: Scene, loaded: LoadedForWidgets) => Html

/** How built-in widgets are drawn, by their names without the namespace. */
export const builtInWidgets: ReadonlyMap<string, DrawBuiltIn> = new Map<string, DrawBuiltIn>([
  ['rich-text', (widget, _scene, { links }) => drawRichText(widget, links)],
  ['image', drawImage],
  ['video', drawVideo],
  // An area has to allow raw HTML by name: whoever may write there is trusted with it.
  ['html', ({ code }) => raw(typeof code === 'string' ? code : '')],
  ['file', drawFile],
  ['layout', drawLayout],
  ['layout-column', drawColumn],
])
