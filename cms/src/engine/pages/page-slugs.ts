import { foldText, joinSlug } from '../../base/text.ts'
import { firstFreeWhole, needsNumber } from '../../model/declared/reserved-slugs.ts'
import { type Copies, type Document, slugOf } from '../../model/terms/document.ts'
import type { DocId, Locale, Mode } from '../../model/terms/document-id.ts'
import type { PageCopy } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import { MODES } from '../save/change.ts'
import { pageAccess } from './page-access.ts'

const LONG = 250

/** The published slug of a visible page, before (null when it was not visible) and after. */
export interface UrlChange {
  readonly docId: DocId
  readonly from: string | null
  readonly to: string
}

/** Copies of the pages of a subtree. */
interface Subtree {
  readonly locale: Locale
  readonly copies: readonly PageCopy[]
}

/** The last part of a slug, which is the page's own. */
export function ownPart(slug: string): string {
  return slug.slice(slug.lastIndexOf('/') + 1)
}

/** The slug of a copy; null when there is none. */
export function slugOfCopy(copy: Document | null): string | null {
  return copy && slugOf(copy)
}

/** True when a page's slug is its parent's plus one part: then it follows the parent. */
export function followsParent(slug: string, parentSlug: string | null): boolean {
  return parentSlug !== null && slug === joinSlug(parentSlug, ownPart(slug))
}

/** The changed slugs of a page's copies, before and after. */
export type SlugChanges = { readonly [mode in Mode]?: { readonly from: string; readonly to: string } }

/** The copies whose stored slug was changed by a save. */
export function slugChanges(before: Copies, after: Copies): SlugChanges {
  return Object.fromEntries(
    MODES.flatMap((mode) => {
      const from = slugOfCopy(before[mode])
      const to = slugOfCopy(after[mode])
      return from === null || to === null || from === to ? [] : [[mode, { from, to }]]
    }),
  )
}

/**
 * Selects the pages of a subtree whose slugs change, if they began with the old one. With `below` the page itself has
 * its new slug already; with `all` it gets it too; `restored` pages come out of the archive, and their slugs may be
 * taken.
 */
type Carried = 'below' | 'all' | 'restored'

/** How the slugs of a subtree follow those of the page at its top. */
interface Carrying {
  readonly rootId: DocId
  readonly changes: SlugChanges
  readonly carried: Carried
}

/** A copy that is carried: the slug it would have, and the one it gets. */
export interface PlannedSlug {
  readonly copy: PageCopy
  readonly desired: string
  readonly slug: string
  /** Archived pages have no URL, and their slugs take nothing. */
  readonly isLive: boolean
}

/** Where plans read: the transaction, or the store where nothing is written. */
interface SlugReader {
  readonly site: WriteContext['site']
  readonly tx: { readonly read: Pick<WriteContext['tx']['read'], 'tree'> }
}

/**
 * The slugs that a subtree's pages get when they are carried along (§4.2); a taken one gets a number. Throws
 * `invalid` where one would be too long. A constant number of statements.
 */
export async function planSlugs(
  ctx: SlugReader,
  { locale, copies }: Subtree,
  carrying: Carrying,
): Promise<PlannedSlug[]> {
  const ordered = inTreeOrder(copies, carrying.rootId)
  const taken = { draft: new Set<string>(), published: new Set<string>() }
  const known = new Set<string>()
  // Repeated until all desired slugs have been checked: nearly always once.
  for (;;) {
    const plan = planAround(ordered, carrying, { taken, isReserved: (slug) => needsNumber(ctx.site, locale, slug) })
    const own = new Set(plan.map(({ copy }) => copy.row))
    const desired = new Set(plan.flatMap(lookedUp))
    const open = [...desired].filter((slug) => !known.has(slug))
    if (open.length === 0) return plan
    for (const slug of open) known.add(slug)
    for (const { row, mode, folded } of await ctx.tx.read.tree.takenSlugs(locale, open)) {
      if (!own.has(row)) taken[mode].add(folded)
    }
  }
}

/** Level by level, each in the order of the tree: pages get their numbers in the order in which they are shown. */
function inTreeOrder(copies: readonly PageCopy[], rootId: DocId): PageCopy[] {
  const children = Map.groupBy(copies, ({ parent }) => parent)
  const order = new Set([rootId])
  for (const docId of order) for (const child of children.get(docId) ?? []) order.add(child.docId)
  const byPage = Map.groupBy(copies, ({ docId }) => docId)
  return [...order].flatMap((docId) => byPage.get(docId) ?? [])
}

/** The numbered forms of a long slug do not begin as it does in the index: they are looked up one by one. */
function lookedUp({ desired, slug, isLive }: PlannedSlug): string[] {
  if (!isLive) return []
  return slug.length > LONG ? [desired, slug] : [desired]
}

/**
 * Writes planned slugs. Returns of which pages the `modified` mark was set anew, and how. A constant number of
 * statements.
 */
export async function writeSlugs(
  ctx: WriteContext,
  { locale, copies }: Subtree,
  plan: readonly PlannedSlug[],
): Promise<ReadonlyMap<DocId, boolean>> {
  const renamed = plan.filter(({ copy, slug }) => copy.slug !== slug)
  await ctx.tx.tree.rename(copies, new Map(renamed.map(({ copy, slug }) => [copy.row, slug])))
  return ctx.tx.tree.markModified(locale, withChangedModified(copies, plan))
}

/** Returns how the published URLs of planned pages change. */
export function urlChangesOf(plan: readonly PlannedSlug[]): UrlChange[] {
  return plan
    .filter(({ copy, slug, isLive }) => isLive && copy.mode === 'published' && (copy.isArchived || copy.slug !== slug))
    .map(({ copy, slug }) => ({ docId: copy.docId, from: copy.slug, to: slug }))
}

/** Folded slugs, by mode. */
type Taken = { readonly [mode in Mode]: ReadonlySet<string> }

/** The slug of an ancestor, before and after. */
interface AncestorSlug {
  readonly from: string
  readonly to: string
  readonly above: AncestorSlug | null
}

/** `copies` come ancestors first. Both copies of a page that want one slug get the same number. */
function planAround(
  copies: readonly PageCopy[],
  carrying: Carrying,
  { taken: takenByOthers, isReserved }: { readonly taken: Taken; readonly isReserved: (slug: string) => boolean },
): PlannedSlug[] {
  const taken = { draft: new Set(takenByOthers.draft), published: new Set(takenByOthers.published) }
  const ancestors = { draft: new Map<DocId, AncestorSlug | null>(), published: new Map<DocId, AncestorSlug | null>() }
  const planned: PlannedSlug[] = []
  for (const page of Map.groupBy(copies, ({ docId }) => docId).values()) {
    const wanting = page.map((copy) => {
      return { copy, ...wantedSlug(copy, carrying, ancestors[copy.mode].get(copy.parent) ?? null) }
    })
    for (const [desired, group] of Map.groupBy(wanting, (one) => one.desired)) {
      const carried = group.filter(({ isCarried }) => isCarried)
      const live = carried.filter(({ copy }) => carrying.carried === 'restored' || !copy.isArchived)
      const isTaken = (slug: string) =>
        live.some(({ copy }) => (isReserved(slug) && copy.slug !== slug) || taken[copy.mode].has(foldText(slug)))
      const slug = firstFreeWhole(desired, isTaken)
      for (const { copy } of live) taken[copy.mode].add(foldText(slug))
      planned.push(...carried.map((one) => ({ copy: one.copy, desired, slug, isLive: live.includes(one) })))
      for (const { copy, isCarried, ancestor } of group) {
        ancestors[copy.mode].set(copy.docId, isCarried ? { from: copy.slug, to: slug, above: ancestor } : ancestor)
      }
    }
  }
  return planned
}

interface DesiredSlug {
  readonly desired: string
  readonly isCarried: boolean
  /** The slug that the pages below follow when this one stays as it is. */
  readonly ancestor: AncestorSlug | null
}

/** The slug that a copy would have if all were free: it follows the nearest ancestor whose slug it begins with. */
function wantedSlug(copy: PageCopy, carrying: Carrying, above: AncestorSlug | null): DesiredSlug {
  const { rootId, changes, carried } = carrying
  const stays = { desired: copy.slug, isCarried: carried === 'restored', ancestor: above }
  if (copy.docId === rootId) {
    const change = changes[copy.mode]
    if (change === undefined) return stays
    const isDone = carried === 'below'
    return { desired: change.to, isCarried: !isDone, ancestor: isDone ? { ...change, above: null } : null }
  }
  for (let ancestor = above; ancestor; ancestor = ancestor.above) {
    if (!copy.slug.startsWith(`${ancestor.from}/`)) continue
    return { desired: ancestor.to + copy.slug.slice(ancestor.from.length), isCarried: true, ancestor: above }
  }
  return stays
}

/** The pages whose draft and published slugs were the same and now differ, or the reverse: `modified` may change. */
function withChangedModified(copies: readonly PageCopy[], plan: readonly PlannedSlug[]): DocId[] {
  const after = new Map(plan.map(({ copy, slug }) => [copy.row, slug]))
  const pages = [...Map.groupBy(copies, ({ docId }) => docId)]
  return pages.flatMap(([docId, [one, other]]) => {
    if (one === undefined || other === undefined) return []
    const wereOne = one.slug === other.slug
    const areOne = (after.get(one.row) ?? one.slug) === (after.get(other.row) ?? other.slug)
    return wereOne === areOne ? [] : [docId]
  })
}

/** How many pages get another slug by plans that follow one another, as far as the caller sees these pages. */
export function countChangedSlugs(ctx: Context, plans: readonly PlannedSlug[]): number {
  const seen = plans.filter(({ copy }) => pageAccess(ctx, { type: copy.type, visibility: 'public' }) !== null)
  const ofCopies = [...Map.groupBy(seen, ({ copy }) => copy.row).values()]
  const changed = ofCopies.flatMap((plans) => {
    const [first] = plans
    return first === undefined || first.copy.slug === plans.at(-1)?.slug ? [] : [first.copy.docId]
  })
  return new Set(changed).size
}
