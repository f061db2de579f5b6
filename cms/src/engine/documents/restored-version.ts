import { invalid } from '../../base/errors.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/types.ts'
import type { WriteContext } from '../context.ts'
import type { Target } from './copies.ts'
import { takenOver, writableBy } from './field-access.ts'

type Body = { readonly [name: string]: unknown }

/**
 * The version that a PUT restores (§4.4), as far as the caller may write it; `invalid` unless it is one of this
 * document, in this locale, as a draft.
 */
export async function restoredVersion(
  ctx: WriteContext,
  becomes: Type,
  { id, document }: Target,
  versionId: unknown,
): Promise<{ readonly id: string; readonly content: JsonObject } | null> {
  if (versionId === undefined) return null
  const found = typeof versionId === 'string' ? await ctx.tx.read.versions.get(versionId) : null
  if (!found || found.version.docId !== document.id.docId || found.version.locale !== id.locale) {
    throw invalid('_restoreVersion names no version of this document in this locale.')
  }
  if (becomes.localized && id.mode !== 'draft')
    throw invalid('A version is restored to the draft: send aposMode=draft.')
  const { title = '' } = found.content
  const from = ctx.site.types.get(found.version.type)
  const content = from
    ? takenOver({ actor: ctx.actor, from: from.fields, to: becomes.fields }, found.content)
    : { title }
  return { id: found.version.id, content: writableBy(ctx.actor, becomes.fields, content) }
}

/** A restored document's relationships are taken as stored ids, at any depth, so that deleted documents are dropped. */
export function asStored(body: Body): Body {
  const entries = Object.entries(body).filter(([name]) => {
    return !(name.startsWith('_') && Object.hasOwn(body, `${name.slice(1)}Ids`))
  })
  return Object.fromEntries(entries.map(([name, value]) => [name, storedWithin(value)]))
}

function storedWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storedWithin)
  return isObject(value) ? asStored(value) : value
}
