import type { JsonObject } from '../../base/json.ts'
import type { DocId, Document, Locale } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import type { Context } from '../context.ts'
import type { ReadAccess } from '../permissions.ts'
import { type Projection, projectsName } from './projection.ts'

/** How drafts of a type are shown to the caller. */
interface DraftPresentation {
  readonly type: Type
  readonly access: ReadAccess
  readonly project: Projection | null
}

/** Adds to drafts when they are published and archived by themselves, and what of that has failed (§3.9). */
export async function addSchedules(
  ctx: Context,
  documents: readonly Document[],
  answers: readonly JsonObject[],
  presentation: DraftPresentation,
): Promise<void> {
  const [first] = documents
  if (first?.id.mode !== 'draft') return
  const docIds = documents.map(({ id }) => id.docId)
  const said = await schedulesOf(ctx, docIds, first.id.locale, presentation)
  for (const [index, docId] of docIds.entries()) Object.assign(answers[index] ?? {}, said.get(docId))
}

/** What is added to each of some drafts of one locale: nothing to those of types without schedules. One statement. */
export async function schedulesOf(
  ctx: Context,
  docIds: readonly DocId[],
  locale: Locale,
  { type, access, project }: DraftPresentation,
): Promise<ReadonlyMap<DocId, JsonObject>> {
  const names = ['publishAt', 'archiveAt', 'scheduleError'].filter((name) => projectsName(project, name))
  if (!type.scheduling || access.fields !== 'full' || names.length === 0) return new Map()
  const byId = new Map((await ctx.store.schedules.of(docIds, locale)).map((schedule) => [schedule.docId, schedule]))
  return new Map(
    docIds.map((docId) => {
      const { publishAt = null, archiveAt = null, failure = null } = byId.get(docId) ?? {}
      const said: JsonObject = {
        publishAt: timeOf(publishAt),
        archiveAt: timeOf(archiveAt),
        scheduleError: failure && { ...failure, at: timeOf(failure.at) },
      }
      return [docId, Object.fromEntries(names.map((name) => [name, said[name] ?? null]))]
    }),
  )
}

function timeOf(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString()
}
