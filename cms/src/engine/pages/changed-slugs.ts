import type { Context } from '../context.ts'
import { pageAccess } from './page-access.ts'
import type { PlannedSlug } from './page-slugs.ts'

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
