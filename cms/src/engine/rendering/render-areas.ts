import type { Context, ShownArea } from '../context.ts'
import { describeForEditing } from './annotate-areas.ts'
import { logFailure } from './log-failure.ts'
import { openScene } from './open-scene.ts'
import { TemplateError } from './template-error.ts'

/**
 * `render-areas=true`: every area of these answers, at any depth, has its HTML as `_rendered` in place of its `items`
 * (§2.1). A constant number of statements for all of them.
 */
export async function renderAreas(ctx: Context, answers: readonly unknown[]): Promise<void> {
  const { scene, found } = await openScene(ctx, { documents: answers, page: null })
  // A widget may draw areas of other documents: items are needed until all is drawn.
  // `as`: it was found as the value of an area field.
  const drawn = found.outer.map(({ area }) => scene.with({ styles: new Set() }).area(area as unknown as ShownArea))
  for (const [index, one] of found.outer.entries()) {
    one.area._rendered = drawn[index]?.text ?? ''
    delete one.area.items
    describeForEditing(one)
  }
}

/**
 * The same for what was just written. That it was stored must be answered: where a template fails, the log says so, and
 * areas are as they would be without `render-areas`.
 */
export async function renderWrittenAreas(ctx: Context, answers: readonly unknown[]): Promise<void> {
  try {
    await renderAreas(ctx, answers)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    logFailure(ctx, error)
  }
}
