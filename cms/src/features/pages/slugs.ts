import { cutText, foldText } from '../../base/text.ts'
import type { WriteContext } from '../../engine/context.ts'
import { firstFree, joinSlug, MAX_LENGTH } from '../../engine/documents/slug.ts'
import type { Copies, DocId, Document, Locale, Mode } from '../../model/document.ts'
import type { PageSlug, TreePosition } from '../../store/store.ts'
import type { UrlChange } from './urls.ts'

const MODES: readonly Mode[] = ['draft', 'published']

/** The last part of a slug: what is the page's own. */
export function ownPart(slug: string): string {
  return slug.slice(slug.lastIndexOf('/') + 1)
}

/** The slug of a copy; null when there is none. */
export function slugOfCopy(copy: Document | null): string | null {
  return typeof copy?.fields.slug === 'string' ? copy.fields.slug : null
}

/** True when a page's slug is its parent's and one part more: then it moves with the parent. */
export function followsParent(slug: string, parentSlug: string | null): boolean {
  return parentSlug !== null && slug === joinSlug(parentSlug, ownPart(slug))
}

/** The slugs of a page's copies, where they change: what they were and what they shall be. */
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
 * Which pages of a subtree get new slugs: those whose slug began with the old one. `page` has its new slug already with
 * `below`; with `all` it gets it too; `restored` are pages that come out of the archive, whose slugs may be taken.
 */
export type Reach = 'below' | 'all' | 'restored'

interface Subtree {
  readonly locale: Locale
  readonly position: TreePosition
}

/**
 * Carries a subtree's slugs along (decisions 4.2); a taken one gets a number. Answers how the published URLs of the
 * pages have changed. A constant number of statements.
 */
export async function carrySlugs(
  ctx: WriteContext,
  { locale, position }: Subtree,
  changes: SlugChanges,
  reach: Reach,
): Promise<UrlChange[]> {
  const copies = await ctx.tx.tree.slugsBelow(locale, position.path)
  const plan = await freePlan(ctx, locale, (taken) =>
    planSlugs(copies, { rootId: position.docId, changes, reach }, taken),
  )
  const renamed = plan.filter(({ copy, slug }) => copy.slug !== slug)
  await ctx.tx.tree.rename(copies, new Map(renamed.map(({ copy, slug }) => [copy.row, slug])))
  await ctx.tx.tree.markModified(locale, partedOrMet(copies, plan))
  return plan
    .filter(({ copy, slug, isLive }) => isLive && copy.mode === 'published' && (copy.isArchived || copy.slug !== slug))
    .map(({ copy, slug }) => ({ docId: copy.docId, from: copy.slug, to: slug }))
}

/** A copy that is carried: the slug it would have, and the one it gets. */
interface Planned {
  readonly copy: PageSlug
  readonly wanted: string
  readonly slug: string
  /** Archived pages have no URL, and their slugs take nothing. */
  readonly isLive: boolean
}

/** Folded slugs, by mode. */
type Taken = { readonly [mode in Mode]: ReadonlySet<string> }

/** Plans anew until all slugs that it wants have been asked for: nearly always once. */
async function freePlan(ctx: WriteContext, locale: Locale, plan: (taken: Taken) => Planned[]): Promise<Planned[]> {
  const taken = { draft: new Set<string>(), published: new Set<string>() }
  const asked = new Set<string>()
  for (;;) {
    const planned = plan(taken)
    const own = new Set(planned.map(({ copy }) => copy.row))
    const wanted = planned.flatMap((one) => (one.isLive ? stemsOf(one.wanted) : []))
    const open = [...new Set(wanted)].filter((slug) => !asked.has(slug))
    if (open.length === 0) return planned
    for (const slug of open) asked.add(slug)
    for (const { row, mode, folded } of await ctx.tx.tree.takenSlugs(locale, open)) {
      if (!own.has(row)) taken[mode].add(folded)
    }
  }
}

/** What numbered slugs begin with: near the limit of their length they lose their last characters. */
function stemsOf(slug: string): string[] {
  const cuts = slug.length > MAX_LENGTH - 4 ? [2, 3, 4].map((ending) => slug.slice(0, MAX_LENGTH - ending)) : []
  return [slug, ...cuts]
}

interface Carrying {
  readonly rootId: DocId
  readonly changes: SlugChanges
  readonly reach: Reach
}

/** The slug of an ancestor, before and after. */
interface Lead {
  readonly from: string
  readonly to: string
  readonly above: Lead | null
}

/** `copies` come ancestors first. Both copies of a page that want one slug get the same number. */
function planSlugs(copies: readonly PageSlug[], carrying: Carrying, takenByOthers: Taken): Planned[] {
  const taken = { draft: new Set(takenByOthers.draft), published: new Set(takenByOthers.published) }
  const leads = { draft: new Map<DocId, Lead | null>(), published: new Map<DocId, Lead | null>() }
  const planned: Planned[] = []
  for (const page of Map.groupBy(copies, ({ docId }) => docId).values()) {
    const wishes = page.map((copy) => ({ copy, ...wish(copy, carrying, leads[copy.mode].get(copy.parent) ?? null) }))
    for (const [wanted, group] of Map.groupBy(wishes, (one) => one.wanted)) {
      const carried = group.filter(({ isCarried }) => isCarried)
      const live = carried.filter(({ copy }) => carrying.reach === 'restored' || !copy.isArchived)
      const isTaken = (slug: string) => live.some(({ copy }) => taken[copy.mode].has(foldText(slug)))
      const slug = firstFree(wanted, isTaken)
      for (const { copy } of live) taken[copy.mode].add(foldText(slug))
      planned.push(...carried.map((one) => ({ copy: one.copy, wanted, slug, isLive: live.includes(one) })))
      for (const { copy, isCarried, lead } of group) {
        leads[copy.mode].set(copy.docId, isCarried ? { from: copy.slug, to: slug, above: lead } : lead)
      }
    }
  }
  return planned
}

interface Wish {
  readonly wanted: string
  readonly isCarried: boolean
  /** What the pages below go by when this one stays as it is. */
  readonly lead: Lead | null
}

/** The slug that a copy would have when all were free. The nearest ancestor that its slug begins with leads it. */
function wish(copy: PageSlug, { rootId, changes, reach }: Carrying, above: Lead | null): Wish {
  const stays = { wanted: copy.slug, isCarried: reach === 'restored', lead: above }
  if (copy.docId === rootId) {
    const change = changes[copy.mode]
    if (change === undefined) return stays
    const isDone = reach === 'below'
    return { wanted: change.to, isCarried: !isDone, lead: isDone ? { ...change, above: null } : null }
  }
  for (let lead = above; lead; lead = lead.above) {
    if (!copy.slug.startsWith(`${lead.from}/`)) continue
    const wanted = cutText(lead.to + copy.slug.slice(lead.from.length), MAX_LENGTH)
    return { wanted, isCarried: true, lead: above }
  }
  return stays
}

/** The pages whose two copies had one slug and have two now, or the other way round. */
function partedOrMet(copies: readonly PageSlug[], plan: readonly Planned[]): DocId[] {
  const after = new Map(plan.map(({ copy, slug }) => [copy.row, slug]))
  const pages = [...Map.groupBy(copies, ({ docId }) => docId)]
  return pages.flatMap(([docId, [one, other]]) => {
    if (one === undefined || other === undefined) return []
    const wereOne = one.slug === other.slug
    const areOne = (after.get(one.row) ?? one.slug) === (after.get(other.row) ?? other.slug)
    return wereOne === areOne ? [] : [docId]
  })
}
