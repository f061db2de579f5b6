import { copyJson, type Json, type JsonObject } from '../../base/json.ts'
import type { DocId, Document } from '../../model/document.ts'
import type { Field } from '../../model/fields/field-type.ts'
import { isNothing } from '../../model/fields/outside.ts'
import { propertyNames } from '../../model/property-names.ts'
import { targetOf } from '../../model/target.ts'
import type { Context } from '../context.ts'
import { type CopyScope, type RelatedAccess, relatedAccess, seesAllRelated, seesRelatedField } from '../related.ts'
import type { RelationshipSlot } from './prepare.ts'

/** At most this many documents that point to one are shown, the newest first (relationshipReverse). */
const REVERSE_LIMIT = 100

/** Converts the related documents of one field to JSON for the caller, by aposDocId. */
export type PresentRelated = (
  documents: readonly Document[],
  access: RelatedAccess,
  field: Field,
) => Promise<ReadonlyMap<DocId, JsonObject>>

/** How related documents become part of an answer. */
export interface Filling {
  readonly present: PresentRelated
  /** What is written into an answer for a related document, each time. May throw. */
  placed(related: JsonObject, answer: JsonObject): JsonObject
  /** Called for each copy of a related document in the answer, with its relationship values. */
  copied(original: JsonObject, copy: JsonObject, fields: JsonObject): void
}

/**
 * Fills in relationships (§2.15): one statement for each related type, whatever the number of documents and
 * fields; and one for each reverse relationship.
 */
export async function populate(
  ctx: Context,
  scope: CopyScope,
  slots: readonly RelationshipSlot[],
  filling: Filling,
): Promise<void> {
  for (const [typeName, group] of groupBy(slots, ({ field }) => targetOf(field) ?? '')) {
    const access = relatedAccess(ctx, typeName, scope)
    const forward = group.filter(({ field }) => field.type.relation === 'forward')
    const reverse = group.filter(({ field }) => field.type.relation === 'reverse')
    await fillForward(ctx, access, forward, filling)
    for (const [, ofField] of groupBy(reverse, ({ field }) => field)) await fillReverse(ctx, access, ofField, filling)
  }
}

async function fillForward(
  ctx: Context,
  access: RelatedAccess | null,
  slots: readonly RelationshipSlot[],
  filling: Filling,
): Promise<void> {
  if (slots.length === 0) return
  const ids = [...new Set(slots.flatMap(idsOf))]
  const documents = access && ids.length > 0 ? await ctx.store.documents.many(access.view, ids) : []
  const byField = groupBy(slots, ({ field }) => field)
  for (const [field, ofField] of byField) {
    const used = byField.size === 1 ? documents : usedBy(ofField, documents)
    const shown = access ? await filling.present(used, access, field) : new Map<DocId, JsonObject>()
    for (const slot of ofField) {
      fill(slot, shown, filling)
      if (!seesAllRelated(ctx, access)) keepShownIds(slot, shown)
    }
  }
}

/** Copies of the documents that this field points to: other fields may show less or more of them. */
function usedBy(slots: readonly RelationshipSlot[], documents: readonly Document[]): Document[] {
  const used = new Set(slots.flatMap(idsOf))
  return documents
    .filter((document) => used.has(document.id.docId))
    .map((document) => ({ ...document, fields: copyJson(document.fields) }))
}

function fill(
  { field, values, answer }: RelationshipSlot,
  shown: ReadonlyMap<DocId, JsonObject>,
  filling: Filling,
): void {
  const [idsName = '', fieldsName = ''] = propertyNames(field)
  const ids = textList(values[idsName])
  // `as`: what is stored was clean when it was stored; so it is below.
  const fieldsById = (values[fieldsName] ?? {}) as JsonObject
  if (Object.values(fieldsById).some(isNothing)) {
    values[fieldsName] = Object.fromEntries(Object.entries(fieldsById).filter(([, fields]) => !isNothing(fields)))
  }
  values[field.name] = ids.flatMap((id) => {
    const document = shown.get(id)
    if (document === undefined) return []
    const placed = filling.placed(document, answer)
    const fields = (fieldsById[id] ?? {}) as JsonObject
    const copy: JsonObject = { ...placed, _fields: isNothing(fields) ? {} : fields }
    filling.copied(document, copy, fields)
    return [copy]
  })
}

/** Leaves only the ids of documents that are shown, with what the relationship says of them (§5.8). */
function keepShownIds({ field, values }: RelationshipSlot, shown: ReadonlyMap<DocId, JsonObject>): void {
  const [idsName = '', fieldsName = ''] = propertyNames(field)
  const fieldsById = (values[fieldsName] ?? {}) as JsonObject
  values[idsName] = textList(values[idsName]).filter((id) => shown.has(id))
  values[fieldsName] = Object.fromEntries(Object.entries(fieldsById).filter(([id]) => shown.has(id)))
}

async function fillReverse(
  ctx: Context,
  access: RelatedAccess | null,
  slots: readonly RelationshipSlot[],
  filling: Filling,
): Promise<void> {
  const field = slots[0]?.field
  if (!field) return
  // `as`: relationshipReverse declares `reverseOf`, the relationship that it reads the other way round.
  const { reverseOf, max } = field.options as { readonly reverseOf: string; readonly max?: number }
  const ids = [...new Set(slots.map(({ docId }) => docId))]
  const mayRead = access !== null && seesRelatedField(ctx, access, reverseOf)
  const pointing = mayRead
    ? await ctx.store.documents.pointingTo(access.view, reverseOf, ids, max ?? REVERSE_LIMIT)
    : []
  const documents = new Map(pointing.map(({ document }) => [document.id.docId, document]))
  const shown = access ? await filling.present([...documents.values()], access, field) : new Map<DocId, JsonObject>()
  const byTarget = groupBy(pointing, ({ target }) => target)
  for (const { values, docId, answer } of slots) {
    const found = (byTarget.get(docId) ?? []).map(({ document }) => shown.get(document.id.docId))
    const related = found.filter((one) => one !== undefined)
    values[field.name] = related.map((one) => filling.placed(one, answer))
  }
}

function idsOf({ field, values }: RelationshipSlot): string[] {
  return textList(values[propertyNames(field)[0] ?? ''])
}

function textList(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
