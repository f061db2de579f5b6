import type { Context } from '../../engine/context.ts'
import { audienceOf } from '../../engine/permissions.ts'

/** Remembers what `make` makes for callers of one audience, in one locale and mode, while the content stands. */
export function remembered<Value>(ctx: Context, name: string, make: () => Promise<Value>): Promise<Value> {
  const { locale, mode, actor, isStaticBuild } = ctx
  return ctx.memory.get(`${name} ${locale} ${mode} ${isStaticBuild} ${audienceOf(actor)}`, make)
}
