import type { Problem } from '../base/errors.ts'
import type { Json, JsonObject } from '../base/json.ts'
import type { Reference } from '../model/fields/field-type.ts'
import { storedValue, walk } from '../model/schema.ts'
import type { Type } from '../model/types.ts'
import type { WriteContext } from './context.ts'
import { readAccess } from './permissions.ts'

/** Fields that were just read, and the references that their body named and that must exist. */
export interface ReadValues {
  readonly values: JsonObject
  readonly mustExist: readonly { readonly path: string; readonly reference: Reference }[]
  /** What is stored now; null for a new document. */
  readonly before: JsonObject | null
}

/**
 * Looks up what the values of all copies point to (decisions 2, Relationships): reports named documents and attachments
 * that do not exist or are of another type, and drops the ids of deleted documents and of other types. At most two statements.
 */
export async function checkReferences(
  ctx: WriteContext,
  type: Type,
  copies: readonly ReadValues[],
): Promise<Problem[]> {
  const all = copies.flatMap((copy) => referencesIn(type, copy.values))
  const documents = idsOf(all, 'document')
  const attachments = idsOf(all, 'attachment')
  const types = documents.length > 0 ? await ctx.tx.documents.types(documents) : new Map<string, string>()
  const files = attachments.length > 0 ? await ctx.tx.attachments.existing(attachments) : new Set<string>()
  const exists = (reference: Reference) =>
    reference.kind === 'attachment' ? files.has(reference.id) : types.get(reference.id) === reference.type

  const problems = copies.flatMap((copy) => missingIn(ctx, type, copy, exists))
  for (const copy of copies) dropDeleted(type, copy.values, types)
  return problems
}

function missingIn(
  ctx: WriteContext,
  type: Type,
  copy: ReadValues,
  exists: (reference: Reference) => boolean,
): Problem[] {
  if (copy.mustExist.length === 0) return []
  const known = new Set(copy.before ? referencesIn(type, copy.before).map((reference) => reference.id) : [])
  return copy.mustExist
    .filter(({ reference }) => !known.has(reference.id) && !(exists(reference) && mayPointTo(ctx, reference)))
    .map(({ path, reference }) => ({ path, name: 'invalid', message: missingMessage(reference) }))
}

/** A caller who may not see a type at all cannot learn by pointing to it which documents it has. */
function mayPointTo(ctx: WriteContext, reference: Reference): boolean {
  if (reference.kind === 'attachment') return true
  const target = ctx.site.types.get(reference.type)
  return target !== undefined && readAccess(ctx.actor, target) !== null
}

function missingMessage(reference: Reference): string {
  return reference.kind === 'attachment'
    ? `There is no attachment ${reference.id}. Upload the file first.`
    : `There is no ${reference.type} with the id ${reference.id}.`
}

function referencesIn(type: Type, values: JsonObject): Reference[] {
  const found: Reference[] = []
  for (const { field, values: holder } of walk(type.fields, values)) {
    if (!field.type.references) continue
    const value = storedValue(field, holder)
    if (value !== null) found.push(...field.type.references(value, field.options))
  }
  return found
}

function idsOf(references: readonly Reference[], kind: Reference['kind']): string[] {
  return [...new Set(references.filter((reference) => reference.kind === kind).map((reference) => reference.id))]
}

function dropDeleted(type: Type, values: JsonObject, types: ReadonlyMap<string, string>): void {
  for (const { field, values: holder } of walk(type.fields, values)) {
    const { property, references, computed } = field.type
    if (!property || !references || computed) continue
    const value = property.stored(holder, field.name)
    if (value === null) continue
    const gone = [...references(value, field.options)].filter(
      (target) => target.kind === 'document' && types.get(target.id) !== target.type,
    )
    if (gone.length > 0)
      Object.assign(holder, property.store(without(value, new Set(gone.map(({ id }) => id))), field.name))
  }
}

/** A relationship's stored value without some of its ids. */
function without(value: Json, ids: ReadonlySet<string>): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Array.isArray(value.ids)) return value
  const fields = Object.entries(value.fields as JsonObject).filter(([id]) => !ids.has(id))
  return { ids: value.ids.filter((id) => !ids.has(String(id))), fields: Object.fromEntries(fields) }
}
