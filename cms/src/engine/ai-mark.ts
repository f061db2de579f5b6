import { isTrue } from '../base/body-marks.ts'
import type { Context } from './context.ts'

/**
 * The context of a request whose body says `_ai: true` (§3.8): all that it saves is marked as written by AI, as if by
 * the key of one. Throws `invalid` for a mark that is neither true nor false.
 */
export function withAiMark(ctx: Context, body: { readonly [name: string]: unknown }): Context {
  const { actor } = ctx
  if (!isTrue(body, '_ai') || (actor.kind !== 'user' && actor.kind !== 'key')) return ctx
  return { ...ctx, actor: { ...actor, ai: true } }
}
