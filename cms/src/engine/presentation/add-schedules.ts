import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Document } from '../../model/terms/document.ts'
import type { Context } from '../context.ts'
import type { ReadAccess } from '../permissions.ts'
import { type Projection, projectsName } from './projection.ts'

/** What is added to drafts: when they are published and archived by themselves, and what of that has failed (§3.9). */
export async function addSchedules(
  ctx: Context,
  documents: readonly Document[],
  answers: readonly JsonObject[],
  { type, access, project }: { readonly type: Type; readonly access: ReadAccess; readonly project: Projection | null },
): Promise<void> {
  const [first] = documents
  if (!type.scheduling || first?.id.mode !== 'draft' || access.fields !== 'full') return
  const names = ['publishAt', 'archiveAt', 'scheduleError'].filter((name) => projectsName(project, name))
  if (names.length === 0) return
  const docIds = documents.map(({ id }) => id.docId)
  const found = await ctx.store.schedules.of(docIds, first.id.locale)
  const byId = new Map(found.map((schedule) => [schedule.docId, schedule]))
  for (const [index, docId] of docIds.entries()) {
    const { publishAt = null, archiveAt = null, failures = {} } = byId.get(docId) ?? {}
    const [action, failure] = Object.entries(failures).at(-1) ?? []
    const said: JsonObject = {
      publishAt: timeOf(publishAt),
      archiveAt: timeOf(archiveAt),
      scheduleError: action && failure ? { action, at: timeOf(failure.at), message: failure.message } : null,
    }
    for (const name of names) Object.assign(answers[index] ?? {}, { [name]: said[name] })
  }
}

function timeOf(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString()
}
