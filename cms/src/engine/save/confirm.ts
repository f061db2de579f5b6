import type { Copies, Mode } from '../../model/terms/document.ts'
import type { WriteContext } from '../context.ts'
import { authorOf } from '../permissions.ts'
import { type Change, putsOf, timeOfSave } from './change.ts'

/**
 * A save without changes confirms an outdated translation (§4.5): somebody has looked at it and left it as it is, so it
 * counts as saved now. Nothing else changes: no version is recorded, and no hook runs. Documents that are not outdated
 * stay as they are, and so do all after an autosave. One statement, and one to write.
 */
export async function confirm(ctx: WriteContext, change: Change): Promise<Copies> {
  const { type, docId, locale, before, autosave, reason } = change
  if (autosave || reason !== 'saved' || !type.localized) return before
  const published = (await ctx.tx.read.documents.everywhere(docId))
    .filter(({ id }) => id.locale !== locale)
    .map(({ lastPublishedAt }) => lastPublishedAt ?? '')
  const lastSaved = (before.draft ?? before.published)?.updatedAt ?? ''
  if (!published.some((time) => time > lastSaved)) return before
  const saved = { updatedAt: timeOfSave(ctx, before), updatedBy: authorOf(ctx.actor) }
  const copy = (mode: Mode) => {
    const document = before[mode]
    const isNamed = change.fields[mode] !== undefined
    return document && isNamed ? { ...document, ...saved, revision: document.revision + 1 } : document
  }
  const after = { draft: copy('draft'), published: copy('published') }
  await ctx.tx.documents.put(putsOf(type, before, after))
  return after
}
