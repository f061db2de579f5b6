import type { JsonObject } from '../../base/json.ts'
import type { Document } from '../../model/document.ts'
import type { Site, Type } from '../../model/types.ts'
import type { Context } from '../context.ts'
import { type Projection, projectsName } from '../presentation/projection.ts'
import { stylesheetOf } from './stylesheet.ts'

/**
 * What the global document tells of the stylesheet of its locale and mode (§4.7), in its answers: no content, so no body
 * can change it and no version holds it.
 */
export async function addStylesheets(
  ctx: Context,
  type: Type,
  documents: readonly Document[],
  answers: readonly JsonObject[],
  project: Projection | null = null,
): Promise<void> {
  if (!isGlobal(ctx.site, type)) return
  for (const [index, { id }] of documents.entries()) {
    const { css, classes, version } = await stylesheetOf(ctx, id)
    const all = { stylesStylesheet: css, stylesClasses: [...classes], stylesStylesheetVersion: version }
    const shown = Object.entries(all).filter(([name]) => projectsName(project, name))
    Object.assign(answers[index] ?? {}, Object.fromEntries(shown))
  }
}

function isGlobal({ namespace }: Site, { name }: Type): boolean {
  return name === `${namespace}/global`
}
