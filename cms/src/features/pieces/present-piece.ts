import { notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { readAccess } from '../../engine/permissions.ts'
import { addSchedules } from '../../engine/presentation/add-schedules.ts'
import { present } from '../../engine/presentation/present.ts'
import { addStylesheets, answerTag } from '../../engine/styles/stylesheet.ts'
import { Reply } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Document } from '../../model/terms/document.ts'

/** The answer to a write: the document as its writer sees it. */
export async function presentWritten(ctx: Context, type: Type, document: Document): Promise<Reply> {
  const access = readAccess(ctx.actor, type)
  if (!access) throw notFound()
  const [answer] = await present(ctx, [document], { type, access, project: null, whenRelatedTooLong: 'shorten' })
  if (answer) await addStylesheets(ctx, type, [document], [answer])
  if (answer && type.scheduling) await addSchedules(ctx, [document], [answer], { type, access, project: null })
  return new Reply(answer, { ETag: await answerTag(ctx, type, document) })
}
