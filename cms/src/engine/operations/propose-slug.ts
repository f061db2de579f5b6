import { invalid, invalidFields, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { own, type UnknownObject } from '../../base/json.ts'
import { firstFree, needsNumber, reservedBy } from '../../model/declared/reserved-slugs.ts'
import type { Type } from '../../model/declared/types.ts'
import { fieldsOf } from '../../model/field-type/options.ts'
import type { Copies } from '../../model/terms/document.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import { readFields } from '../../model/values/schema.ts'
import type { TreePosition } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { countChangedSlugs, planSlugs, slugOfCopy } from '../pages/page-slugs.ts'
import { isInArchive, positionAt, type TreeTarget } from '../pages/position.ts'
import { assertMayPlace, assertSeesTarget, parentAmong, slugAbove } from '../pages/tree-rules.ts'
import { writtenModes } from '../save/copies.ts'
import { takenSlugs, unreachable, withWholeSlug } from '../save/slugs.ts'

/** The slug that the service would save (§2.12). */
export interface ProposedSlug {
  /** As it would be stored. */
  readonly slug: string
  /** Another document has it, in a mode that a save would write; or it is not for pages. */
  readonly isTaken: boolean
  /** The slug, or the first of `-2`, `-3`… that is free. */
  readonly suggestion: string
  /** How many pages below would follow it, as far as the caller sees them. */
  readonly carried: number
}

/** The document whose slug is asked about; of a new one there is only an id that nothing has. */
interface SlugOwner {
  readonly id: DocumentId
  readonly type: Type
  readonly copies: Copies
  /** Where a page stands; null for pieces and for new pages. */
  readonly position: TreePosition | null
  /** The slug that slugs of pages here are made below. */
  readonly parentSlug: string
}

/** Says what a save would make of `title` or `slug` in a body; writes nothing. Throws what that save would. */
export async function proposeSlug(ctx: Context, owner: SlugOwner, body: UnknownObject): Promise<ProposedSlug> {
  const { id, type } = owner
  const { locale } = id
  const slug = wholeSlug(ctx, owner, body)
  const reserved = type.family === 'page' ? reservedBy(ctx.site, locale, slug) : null
  if (reserved !== null && own(body, 'slug') !== undefined) throw unreachable(slug, reserved.slug)
  const scopes = writtenModes(ctx, type, id.mode).map((mode) => ({ type: type.name, locale, mode }))
  const taken = await takenSlugs(ctx.store, id, { slug, scopes })
  const isTaken = (one: string) => taken.has(one) || (type.family === 'page' && needsNumber(ctx.site, locale, one))
  const suggestion = firstFree(slug, isTaken)
  return { slug, isTaken: isTaken(slug), suggestion, carried: await carriedBy(ctx, owner, suggestion) }
}

function wholeSlug(ctx: Context, { type, parentSlug }: SlugOwner, body: UnknownObject): string {
  const [title, slug] = [own(body, 'title'), own(body, 'slug')]
  if ((typeof title === 'string') === (typeof slug === 'string')) throw invalid('Send title or slug: one text.')
  const field = type.fields.byName.get('slug')
  if (field === undefined) throw notFound()
  const options = { newId, mayEdit: () => true, maxDepth: ctx.site.limits.depth, before: null, trusted: true }
  const given = slug === undefined ? {} : { slug: String(slug) }
  const { values, problems } = readFields(fieldsOf([field]), given, options)
  if (problems.length > 0) throw invalidFields(problems)
  return String(withWholeSlug(type, { ...values, title: String(title ?? '') }, parentSlug).slug)
}

/** How many pages below would get another slug. */
async function carriedBy(ctx: Context, { id, type, copies, position }: SlugOwner, to: string): Promise<number> {
  if (position === null) return 0
  const changes = Object.fromEntries(
    writtenModes(ctx, type, id.mode).flatMap((mode) => {
      const from = slugOfCopy(copies[mode])
      return from === null || from === to ? [] : [[mode, { from, to }]]
    }),
  )
  if (Object.keys(changes).length === 0) return 0
  const below = await ctx.store.tree.copiesBelow(id.locale, position.path)
  const reader = { site: ctx.site, tx: { read: ctx.store } }
  const plan = await planSlugs(
    reader,
    { locale: id.locale, copies: below },
    { rootId: id.docId, changes, carried: 'below' },
  )
  return countChangedSlugs(ctx, plan)
}

/** The slug below which that of a new page is made. Throws the errors of inserting one there. */
export async function slugAboveNew(
  ctx: Context,
  { docId, locale, mode }: DocumentId,
  target: TreeTarget,
): Promise<string> {
  const nodes = await ctx.store.tree.nodes(locale, [target.docId])
  assertSeesTarget(ctx, nodes, target.docId)
  const position = positionAt(nodes, { docId, from: null }, target)
  const parent = parentAmong(nodes, position)
  assertMayPlace(ctx, parent)
  return isInArchive(position) ? '/' : (slugAbove(parent, mode) ?? '/')
}

/** The slug below which that of an existing page is made. */
export async function slugAbovePage(
  ctx: Context,
  { locale, docId, mode }: DocumentId,
  position: TreePosition,
): Promise<string> {
  if (position.parent === '') return '/'
  const nodes = await ctx.store.tree.nodes(locale, [docId])
  return slugAbove(parentAmong(nodes, position), mode) ?? '/'
}
