import { own } from '../../base/json.ts'
import type { Context } from '../context.ts'

type Body = { readonly [name: string]: unknown }

/** A save is AI-written when its body says so or its key is an AI key (decisions, AI marks). */
export function isAiWritten(ctx: Context, body: Body): boolean {
  const isAiActor = (ctx.actor.kind === 'key' || ctx.actor.kind === 'user') && ctx.actor.ai
  return isAiActor || own(body, '_ai') === true
}

/** An autosave may be merged into the version before it; `_explicitSave` says the opposite. */
export function isAutosave(body: Body): boolean {
  return own(body, '_autosave') === true && own(body, '_explicitSave') !== true
}
