import type { JsonObject } from '../../base/json.ts'
import type { Site, WidgetType } from '../../model/declared/types.ts'
import { resolveLinks } from '../../model/values/rich-text-links.ts'
import type { Context } from '../context.ts'
import { LAYOUT_CSS } from './built-in-widgets.ts'
import { describeForEditing, optionsOf } from './describe-for-editing.ts'
import { type AnswerArea, AnswerAreas } from './find-areas.ts'
import { loadLinks } from './open-scene.ts'
import { hasStyles, prepareWidgetStyles } from './prepare-styles.ts'
import { getWidgetAttributes, getWidgetElements } from './widget-styles.ts'

/** The annotations that an external front end gets about widget types that have no styles (§4.2b). */
const NO_STYLES = { aposStylesWrapper: false, aposStylesElements: '' }

/**
 * Makes the areas and widgets of answers ready for an external front end: options, fields and choices of areas, options
 * of widgets, and rich text with its links resolved where nobody edits.
 */
export async function annotateAreas(
  ctx: Context,
  documents: readonly unknown[],
  areas: readonly AnswerArea[] = [],
): Promise<void> {
  const found = new AnswerAreas(ctx.site, documents, areas)
  const links = await loadLinks(ctx, found)
  for (const area of [...found.outer, ...found.inner]) {
    area.area.options = optionsOf(area.field)
    describeForEditing(area)
  }
  annotateWidgets(ctx, found)
  for (const { widget } of found.widgets.get(`${ctx.site.namespace}/rich-text`) ?? []) {
    if (widget._edit !== true) widget.content = resolveLinks(String(widget.content ?? ''), links)
  }
}

function annotateWidgets({ site }: Context, { widgets }: AnswerAreas): void {
  for (const [name, some] of widgets) {
    const type = site.widgets.get(name)
    for (const { widget, options } of some) {
      // `as`: options were declared as JSON.
      widget._options = { ...(options as JsonObject), ...stylesFor(site, type, widget) }
    }
  }
}

/** The styles of a widget, as a front end that renders it needs them. */
function stylesFor(site: Site, type: WidgetType | undefined, widget: JsonObject): JsonObject {
  if (type === undefined || !hasStyles(type)) return { ...NO_STYLES, aposStylesAttributes: {} }
  const styles = prepareWidgetStyles(site, widget)
  return {
    aposStylesWrapper: type.stylesWrapper,
    aposStylesElements: getWidgetElements(styles).text,
    aposStylesAttributes: getWidgetAttributes(styles, {}, { asObject: true }),
  }
}

/** The CSS of the layout widgets of documents, for front ends that render them by themselves; empty without any. */
export function layoutCss(ctx: Context, documents: readonly unknown[]): string {
  const found = new AnswerAreas(ctx.site, documents)
  return found.widgets.has(`${ctx.site.namespace}/layout`) ? LAYOUT_CSS : ''
}
