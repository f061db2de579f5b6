import type { Context } from '../context.ts'

/** The context of anonymous visitors: lists for all hold what anybody may see, independent of the caller. */
export function visitorsContext(ctx: Context): Context {
  return { ...ctx, actor: { kind: 'anonymous', visits: true }, mode: 'published' }
}
