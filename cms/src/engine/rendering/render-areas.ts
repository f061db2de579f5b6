import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../context.ts'
import { prepareScene } from './open-scene.ts'

/**
 * `render-areas=true`: every area of these answers, at any depth, has its HTML as `_rendered` in place of its `items`
 * (§2.1). A constant number of statements for all of them.
 */
export async function renderAreas(ctx: Context, answers: readonly unknown[]): Promise<void> {
  const { scene, found } = await prepareScene(ctx, { documents: answers, page: null })
  // A widget may draw areas of other documents: items are needed until all is drawn.
  const drawn = found.outer.map(({ area }) => {
    // `as`: it was found as the value of an area field.
    return { area, html: scene.area(area as JsonObject & { metaType: 'area'; items: JsonObject[] }) }
  })
  for (const { area, html } of drawn) {
    area._rendered = html.text
    delete area.items
  }
}
