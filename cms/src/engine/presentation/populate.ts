import { copyJson, type Json, type JsonObject } from '../../base/json.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import type { DocId, Document } from '../../model/terms/document.ts'
import { propertyNames } from '../../model/values/property-names.ts'
import { targetOf } from '../../model/values/target.ts'
import type { Context } from '../context.ts'
import { type CopyScope, type RelatedAccess, type RelatedBy, relatedAccess } from '../view.ts'
import { type PlaceRelated, type Related, type RelationshipSlot, saysNothing } from './related.ts'

/** The most documents that a reverse relationship shows, newest first. */
const REVERSE_LIMIT = 100

/** Puts related documents into an answer. */
export interface Filling {
  /** As text (`RelatedTexts`); null to fill in all as objects. */
  readonly texts: {
    takes(field: Field): boolean
    placing(by: RelatedBy, related: readonly Related[]): Promise<PlaceRelated>
  } | null
  /** As objects: the documents that one field leads to. */
  placing(documents: readonly Document[], by: RelatedBy): Promise<PlaceRelated>
}

/**
 * Fills in relationships (§2.15): one statement for each related type, whatever the number of documents and
 * fields; and one for each reverse relationship.
 */
export async function populate(
  ctx: Context,
  { scope, slots }: { readonly scope: CopyScope; readonly slots: readonly RelationshipSlot[] },
  filling: Filling,
): Promise<void> {
  for (const [typeName, group] of groupBy(slots, ({ field }) => targetOf(field) ?? '')) {
    const access = relatedAccess(ctx, typeName, scope)
    const forward = group.filter(({ field }) => field.type.relation === 'forward')
    const reverse = group.filter(({ field }) => field.type.relation === 'reverse')
    await fillForward(ctx, { access, slots: forward }, filling)
    for (const [, ofField] of groupBy(reverse, ({ field }) => field)) {
      await fillReverse(ctx, { access, slots: ofField }, filling)
    }
  }
}

/** Relationships that lead to documents of one type, and how the caller sees those; null where not at all. */
interface RelatedSlots {
  readonly access: RelatedAccess | null
  readonly slots: readonly RelationshipSlot[]
}

const placeNothing: PlaceRelated = () => undefined

/** One statement for all fields whose documents are filled in as objects. */
async function fillForward(ctx: Context, { access, slots }: RelatedSlots, filling: Filling): Promise<void> {
  const { texts } = filling
  const asObjects = slots.filter(({ field }) => !texts?.takes(field))
  const ids = [...new Set(asObjects.flatMap(idsOf))]
  const documents = access && ids.length > 0 ? await ctx.store.documents.many(access.view, ids) : []
  const isShared = asObjects.some(({ field }) => field !== asObjects[0]?.field)
  for (const [field, ofField] of groupBy(slots, ({ field }) => field)) {
    const place =
      access === null
        ? placeNothing
        : texts?.takes(field)
          ? await texts.placing({ field, access }, ofField.flatMap(relatedOf))
          : await filling.placing(isShared ? copiesFor(ofField, documents) : documents, { field, access })
    for (const slot of ofField) {
      const placed = fill(slot, place)
      if (access?.shown.knowsAll !== true) keepShownIds(slot, placed)
    }
  }
}

/** Copies of the documents that a field points to: other fields may show less or more of them. */
function copiesFor(slots: readonly RelationshipSlot[], documents: readonly Document[]): Document[] {
  const used = new Set(slots.flatMap(idsOf))
  return documents
    .filter((document) => used.has(document.id.docId))
    .map((document) => ({ ...document, fields: copyJson(document.fields) }))
}

/** Returns which of the related documents are shown. */
function fill(slot: RelationshipSlot, place: PlaceRelated): ReadonlySet<DocId> {
  const { field, values, answer } = slot
  const placed = new Set<DocId>()
  leaveOutNothing(slot)
  values[field.name] = relatedOf(slot).flatMap((related) => {
    const json = place(related.docId, related.fields, answer)
    if (json === undefined) return []
    placed.add(related.docId)
    return [json]
  })
  return placed
}

/** Of a document of which the relationship says nothing, the answer does not either. */
function leaveOutNothing({ field, values }: RelationshipSlot): void {
  const [, fieldsName = ''] = propertyNames(field)
  // `as`: what is stored was clean when it was stored; so it is below.
  const fieldsById = Object.entries((values[fieldsName] ?? {}) as JsonObject)
  const isLeftOut = ([, fields]: [string, Json]) => saysNothing(field, fields as JsonObject)
  if (fieldsById.some(isLeftOut)) values[fieldsName] = Object.fromEntries(fieldsById.filter((one) => !isLeftOut(one)))
}

function relatedOf(slot: RelationshipSlot): Related[] {
  const { field, values } = slot
  // `as`: what is stored was clean when it was stored; so it is below.
  const fieldsById = (values[propertyNames(field)[1] ?? ''] ?? {}) as JsonObject
  return idsOf(slot).map((docId) => {
    const fields = (fieldsById[docId] ?? {}) as JsonObject
    return { docId, fields: saysNothing(field, fields) ? {} : fields }
  })
}

/** Leaves only the ids of documents that are shown, with what the relationship says of them (§5.8). */
function keepShownIds({ field, values }: RelationshipSlot, shown: ReadonlySet<DocId>): void {
  const [idsName = '', fieldsName = ''] = propertyNames(field)
  const fieldsById = (values[fieldsName] ?? {}) as JsonObject
  values[idsName] = textList(values[idsName]).filter((id) => shown.has(id))
  values[fieldsName] = Object.fromEntries(Object.entries(fieldsById).filter(([id]) => shown.has(id)))
}

async function fillReverse(ctx: Context, { access, slots }: RelatedSlots, filling: Filling): Promise<void> {
  const field = slots[0]?.field
  if (!field) return
  // `as`: relationshipReverse declares `reverseOf`, the relationship that it reads the other way round.
  const { reverseOf, max } = field.options as { readonly reverseOf: string; readonly max?: number }
  const ids = [...new Set(slots.map(({ docId }) => docId))]
  const pointing = access?.shown.field(reverseOf)
    ? await ctx.store.documents.pointingTo(access.view, { name: reverseOf, docIds: ids, limit: max ?? REVERSE_LIMIT })
    : []
  const documents = new Map(pointing.map(({ document }) => [document.id.docId, document]))
  const place = access ? await filling.placing([...documents.values()], { field, access }) : placeNothing
  const byTarget = groupBy(pointing, ({ target }) => target)
  for (const { values, docId, answer } of slots) {
    const found = (byTarget.get(docId) ?? []).map(({ document }) => place(document.id.docId, null, answer))
    values[field.name] = found.filter((one) => one !== undefined)
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
