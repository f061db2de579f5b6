import type { Problem } from '../../base/errors.ts'
import type { Copies } from '../../model/terms/document.ts'
import { DocumentId } from '../../model/terms/document-id.ts'
import type { Context } from '../context.ts'
import type { UnpublishedPage } from '../pages/tree-rules.ts'
import { problemsOf } from '../save/draft-problems.ts'
import { idsOf, referencesIn } from '../values/references.ts'
import { seenContent } from '../values/seen-content.ts'
import { oneAtATime } from './comparisons.ts'
import { draftChanges } from './draft-changes.ts'
import { type CheckedDraft, type NamedDraft, seenDocuments } from './look-up-names.ts'

/** The changes that publishing a draft would make, and the problems that prevent it (§3.3). */
interface PublishingCheck {
  /** Whether it would be published: all is complete, and the pages above it are published. */
  readonly ok: boolean
  readonly problems: readonly Problem[]
  readonly unpublishedAncestors: readonly UnpublishedPage[]
  readonly unpublishedRelated: readonly NamedDraft[]
  readonly alsoPublished: readonly CheckedDraft[]
  /** How many changes it would bring to the published copy; 0 where there is none. */
  readonly changes: number
}

/** A document that is to be published, with others. */
interface Checked {
  readonly copies: Copies
  readonly alsoPublished: readonly CheckedDraft[]
  readonly unpublishedAncestors?: readonly UnpublishedPage[]
}

/** Looks at what publishing would do, for a caller who may edit the document, and writes nothing. */
export async function checkPublishing(
  ctx: Context,
  { copies, alsoPublished, unpublishedAncestors = [] }: Checked,
): Promise<PublishingCheck> {
  const problems = await problemsOf(ctx, copies)
  const unpublishedRelated = await relatedDrafts(ctx, copies)
  const changes = await oneAtATime(ctx, () => draftChanges(ctx, copies))
  const isComplete = [{ problems }, ...alsoPublished].every((one) => one.problems.length === 0)
  const ok = isComplete && unpublishedAncestors.length === 0
  return { ok, problems, unpublishedAncestors, unpublishedRelated, alsoPublished, changes: changes?.length ?? 0 }
}

/**
 * The drafts that a draft relates to, at any depth, and that are not published, in its order: at most as many as can be
 * published along. Two statements.
 */
async function relatedDrafts(ctx: Context, { draft }: Copies): Promise<NamedDraft[]> {
  const seen = draft && seenContent(ctx, draft.type, draft.fields)
  if (!seen) return []
  const { docId, locale } = draft.id
  const ids = idsOf(referencesIn(seen.type, seen.fields), 'document').filter((id) => id !== docId)
  const drafts = await seenDocuments(ctx, { locale, mode: 'draft' }, ids)
  const published = await ctx.store.documents.outlines(ids, { locale, mode: 'published' })
  const isPublished = new Set(published.map(({ id }) => id.docId))
  return ids
    .flatMap((id) => (isPublished.has(id) ? [] : (drafts.get(id) ?? [])))
    .slice(0, ctx.site.limits.ids)
    .map(({ outline: { id, type, title }, access }) => {
      return { _id: DocumentId.format(id), type, title: access.field('title') ? title : '' }
    })
}
