import { copyJson, type Json } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { audienceOf } from '../../engine/permissions.ts'
import { deepFreeze } from '../../model/compile/freeze.ts'

/**
 * Caches what `make` makes for callers of one audience, in one locale and mode, until the content changes. It is
 * frozen, since many answers hold it; with hooks that may change what is sent, a copy.
 */
export async function cached<Value extends Json>(
  ctx: Context,
  name: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const { locale, mode, actor, isStaticBuild } = ctx
  const key = `${name} ${locale} ${mode} ${isStaticBuild} ${audienceOf(actor)}`
  const value = await ctx.caches.parts.fill(key, async () => deepFreeze(await make()))
  return ctx.hooks.names.has('beforeSend') ? copyJson(value) : value
}
