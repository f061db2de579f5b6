import { notFound } from '../../base/errors.ts'
import type { Change } from '../../model/changes/content-change.ts'
import type { Copies } from '../../model/terms/document.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
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

/**
 * The changes from the published copy to the draft, as far as the caller sees them. Where nothing is published: null, or
 * with `isWhole` all that the draft holds.
 */
export async function draftChanges(
  ctx: Context,
  { draft, published }: Copies,
  isWhole = false,
): Promise<readonly Change[] | null> {
  const current = draft ?? published
  const newer = current && seenContent(ctx, current.type, current.fields)
  if (!newer) return null
  const nothing = isWhole ? { type: newer.type, fields: {} } : null
  const older = published === null ? nothing : seenContent(ctx, published.type, published.fields)
  return older && changesBetween(ctx, { older, newer })
}

/** The rows of these changes, and the versions that they were recorded in, newest first (§4.4). */
interface ListedDraftChanges extends ListedChanges {
  readonly versionIds: readonly string[]
  /** False where nothing is published. */
  readonly compared: boolean
}

/**
 * Lists the changes that publishing would bring (§4.4), with `isWhole` the first time, too; for one answer at a time. A constant number of statements, and
 * one more for each few stretches of saves in which AI and people took turns.
 */
export function listDraftChanges(
  ctx: Context,
  place: Place,
  copies: Copies,
  isWhole = false,
): Promise<ListedDraftChanges> {
  return oneAtATime(ctx, async () => {
    const changes = await draftChanges(ctx, copies, isWhole)
    if (changes === null) return { ...NO_CHANGES, versionIds: [], compared: false }
    const compared = copies.published !== null
    const covered = await (compared ? savesSincePublication(ctx, place) : allSaves(ctx, place))
    const aiOf = covered === null ? undefined : await aiMarksOf(ctx, covered, changes)
    const listed = await listChanges(ctx, { locale: place.locale, mode: 'draft' }, changes, aiOf)
    return { ...listed, versionIds: covered?.saves.map(({ id }) => id) ?? [], compared }
  })
}

async function allSaves({ store: { versions } }: Context, place: Place): Promise<Attributed | null> {
  const [newest] = await versions.list(place, { limit: 1 })
  if (!newest) return null
  const older = await versions.saves(place, { before: newest })
  return { newest, older: null, saves: [newest, ...older], before: null, isWhole: true }
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
