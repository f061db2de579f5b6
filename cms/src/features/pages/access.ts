import { notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { readAccess, refusal, roleOf } from '../../engine/permissions.ts'
import type { Mode, Visibility } from '../../model/document.ts'
import { hasRole } from '../../model/roles.ts'

/**
 * What of the tree the caller may look at in a mode: the least visibility that hides nothing from them. Throws
 * `unauthorized` or `forbidden` for drafts, and `notfound` where no page type is shown at all (decisions 4.2).
 */
export function pagesVisibility(ctx: Context, mode: Mode): Visibility | null {
  const role = roleOf(ctx.actor)
  if (mode === 'draft' && !hasRole(role, 'contributor')) throw refusal(ctx.actor)
  const types = [...ctx.site.types.values()].filter((type) => type.family === 'page')
  const seen = types.flatMap((type) => readAccess(ctx.actor, type) ?? [])
  if (seen.length === 0) throw notFound()
  return seen.every(({ visibility }) => visibility === 'public') ? 'public' : null
}

/** True for those who may edit drafts: they find archived pages when they ask for them. */
export function mayFindArchived(ctx: Context): boolean {
  return hasRole(roleOf(ctx.actor), 'contributor')
}
