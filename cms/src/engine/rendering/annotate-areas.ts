import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../context.ts'
import type { FoundArea } from './find-areas.ts'
import { prepareScene } from './open-scene.ts'
import { resolveLinks } from './rich-text-links.ts'

/** What an external front end is told of styles where a widget type has none (§4.2b). */
const NO_STYLES = { aposStylesWrapper: false, aposStylesElements: '', aposStylesAttributes: {} }

/**
 * Makes the areas and widgets of answers ready for an external front end: options, fields and choices of areas, options
 * of widgets, and rich text with its links resolved where nobody edits.
 */
export async function annotateAreas(ctx: Context, answers: readonly unknown[]): Promise<void> {
  const { scene, found } = await prepareScene(ctx, { documents: answers, page: null })
  for (const area of [...found.outer, ...found.inner]) annotateArea(area)
  for (const [type, widgets] of found.widgets) {
    for (const { widget, options } of widgets) {
      // A copy each: what is sent may be changed before it is sent.
      widget._options = { ...NO_STYLES, aposStylesAttributes: {}, ...(options as JsonObject) }
      const isText = type === `${ctx.site.namespace}/rich-text` && widget._edit !== true
      if (isText) widget.content = resolveLinks(String(widget.content ?? ''), scene.links)
    }
  }
}

function annotateArea({ field, area, holder }: FoundArea): void {
  // `as`: the compiled options of an area.
  const { widgets, uses } = field.options as {
    readonly widgets: JsonObject
    readonly uses: ReadonlyMap<string, { readonly name: string; readonly label: string }>
  }
  const moduleName = holder.replace(/^(?:doc|widget)\./, '').replace(/\..*$/, '')
  area.options = { widgets }
  if (area._edit !== true) return
  area.field = { _id: `${holder}.${field.name}`, name: field.name, type: 'area', label: field.label, moduleName }
  area.choices = [...uses.values()].map(({ name, label }) => ({ name, label }))
}
