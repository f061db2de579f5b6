import { notFound } from '../../base/errors.ts'
import type { Change } from '../../model/changes/content-change.ts'
import type { Copies, DocumentId } from '../../model/terms/document.ts'
import type { Context } from '../context.ts'
import { assertMayOverwrite } from '../save/copies.ts'
import { seenContent } from '../values/seen-content.ts'
import { viewsOf } from '../view.ts'
import { type Attributed, aiMarksOf } from './ai-marks.ts'
import { changesBetween, type ListedChanges, listChanges, NO_CHANGES } from './changes-of.ts'
import { oneAtATime } from './comparisons.ts'

/** The place of a document: all of its id but the mode. */
type Place = Pick<DocumentId, 'docId' | 'locale'>

/**
 * Both copies of a document that the caller may edit. Throws `notfound` where neither is of one of these types, and
 * `forbidden`. One statement.
 */
export async function editableCopies(
  ctx: Context,
  { docId, locale }: Place,
  isOfType: (typeName: string) => boolean,
): Promise<Copies> {
  const copies = await ctx.store.documents.copies(docId, locale)
  const types = [copies.draft, copies.published].flatMap((copy) => (copy === null ? [] : [copy.type]))
  if (!types.some(isOfType) || types.some((name) => viewsOf(ctx).of(name) === null)) throw notFound()
  assertMayOverwrite(ctx, copies, 'editDraft')
  return copies
}

/** The changes from the published copy to the draft, as far as the caller sees them; null where nothing is published. */
export async function draftChanges(ctx: Context, { draft, published }: Copies): Promise<readonly Change[] | null> {
  const current = draft ?? published
  const newer = current && seenContent(ctx, current.type, current.fields)
  const older = published && seenContent(ctx, published.type, published.fields)
  return newer && older ? changesBetween(ctx, { older, newer }) : null
}

/** The rows of these changes, and the versions that they were recorded in, newest first (§4.4). */
interface ListedDraftChanges extends ListedChanges {
  readonly versionIds: readonly string[]
  /** False where nothing is published. */
  readonly compared: boolean
}

/**
 * Lists the changes that publishing would bring (§4.4), for one answer at a time. A constant number of statements, and
 * one more for each few stretches of saves in which AI and people took turns.
 */
export function listDraftChanges(ctx: Context, place: Place, copies: Copies): Promise<ListedDraftChanges> {
  return oneAtATime(ctx, async () => {
    const changes = await draftChanges(ctx, copies)
    if (changes === null) return { ...NO_CHANGES, versionIds: [], compared: false }
    const covered = await savesSincePublication(ctx, place)
    const aiOf = covered === null ? undefined : await aiMarksOf(ctx, covered, changes)
    const listed = await listChanges(ctx, { locale: place.locale, mode: 'draft' }, changes, aiOf)
    return { ...listed, versionIds: covered?.saves.map(({ id }) => id) ?? [], compared: true }
  })
}

/** The saves since what is published was saved; null where there are none, or no versions. */
async function savesSincePublication({ store: { versions } }: Context, place: Place): Promise<Attributed | null> {
  const [newest] = await versions.list(place, { limit: 1 })
  const publication = await versions.publication(place)
  if (!newest || !publication) return null
  const { restoredFrom } = publication
  // A publication that was taken back holds what an earlier version held.
  const since = (restoredFrom === null ? null : await versions.listed(restoredFrom)) ?? publication
  if (newest.id === since.id) return null
  const between = await versions.saves(place, { after: since, before: newest })
  return { newest, older: null, saves: [newest, ...between], before: null }
}
