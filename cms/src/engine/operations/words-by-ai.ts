import { forbidden } from '../../base/errors.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { WriteContext } from '../context.ts'
import type { Actor } from '../permissions.ts'

/** A draft that is to be published. */
interface Draft {
  readonly type: Type
  readonly docId: DocId
}

/**
 * Leaves it to people to publish the words of AI (§5.5): throws `forbidden` for an AI key, also one that may publish, where AI has
 * saved one of these drafts since somebody else published it last, and where no versions say so. One statement, for AI
 * keys alone.
 */
export async function assertNotByAi(ctx: WriteContext, drafts: readonly Draft[], locale: Locale): Promise<void> {
  const { actor, site, tx } = ctx
  if (actor.kind !== 'key' || !actor.ai || drafts.length === 0) return
  const scope = { types: [...site.types.keys()], locales: [locale] }
  const byAi = await tx.read.versions.aiMarks(
    drafts.map(({ docId }) => docId),
    scope,
  )
  if (byAi.size > 0 || drafts.some(({ type }) => !type.versions)) {
    throw forbidden('AI has written in this draft: a person publishes it.')
  }
}

/**
 * Throws `forbidden` where an agent has saved a draft after somebody had set the time at which it is published (§3.9):
 * that would publish words that no person has seen. One statement.
 */
export async function assertNotByAiSince(
  { tx }: WriteContext,
  place: { readonly docId: DocId; readonly locale: Locale },
  { actor, setAt }: { readonly actor: Actor; readonly setAt: number },
): Promise<void> {
  const since = new Date(setAt).toISOString()
  const except = 'id' in actor ? actor.id : null
  if (!(await tx.read.versions.isSavedByAgentSince(place, since, except))) return
  throw forbidden('An agent has changed the draft since its time was set. Read it, and set the time again.')
}
