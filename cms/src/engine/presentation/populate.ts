import { copyJson, type Json, type JsonObject } from '../../base/json.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import type { DocId, Document } from '../../model/terms/document.ts'
import { propertyNames } from '../../model/values/property-names.ts'
import { targetOf } from '../../model/values/target.ts'
import type { RelatedText } from '../answer-caching.ts'
import type { Context } from '../context.ts'
import {
  type CopyScope,
  type Related,
  type RelatedAccess,
  type RelatedBy,
  relatedAccess,
  relatedKey,
  saysNothing,
  seesAllRelated,
  seesRelatedField,
  withFields,
} from '../related.ts'
import type { RelationshipSlot } from './prepare.ts'

/** The most documents that a reverse relationship shows, newest first. */
const REVERSE_LIMIT = 100

/** Converts the related documents of one field to JSON for the caller, by aposDocId. */
export type PresentRelated = (documents: readonly Document[], by: RelatedBy) => Promise<ReadonlyMap<DocId, JsonObject>>

/** Puts related documents into an answer as text. */
export interface TextFilling {
  /** Whether the documents of a relationship can be filled in as text. */
  takes(field: Field): boolean
  /** By `relatedKey`; null for documents that are not shown. One statement for all that are not cached. */
  find(by: RelatedBy, related: readonly Related[]): Promise<ReadonlyMap<string, RelatedText | null>>
  /** Returns what to put into the answer in place of the text. May throw. */
  place(text: RelatedText, answer: JsonObject): string
}

/** Puts related documents into an answer. */
export interface Filling {
  /** Null to fill in all as objects. */
  readonly texts: TextFilling | null
  readonly present: PresentRelated
  /** Returns what to put into the answer for one place of a related document. May throw. */
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
  const byField = groupBy(slots, ({ field }) => field)
  const textsFor = (field: Field) => (filling.texts?.takes(field) ? filling.texts : null)
  const asObjects = new Map([...byField].filter(([field]) => textsFor(field) === null))
  const placingAsObjects = await placingObjects(ctx, access, asObjects, filling)
  for (const [field, ofField] of byField) {
    const texts = textsFor(field)
    const placingOf = texts ? placingTexts(access, texts) : placingAsObjects
    const place = await placingOf(field, ofField)
    for (const slot of ofField) {
      const placed = fill(slot, place)
      if (!seesAllRelated(ctx, access)) keepShownIds(slot, placed)
    }
  }
}

/** Returns what to put into the answer for a related document; undefined when it is not shown. May throw. */
type Place = (related: Related, answer: JsonObject) => Json | undefined
type PlacingOf = (field: Field, slots: readonly RelationshipSlot[]) => Promise<Place>

const placeNothing: Place = () => undefined

function placingTexts(access: RelatedAccess | null, texts: TextFilling): PlacingOf {
  return async (field, slots) => {
    if (access === null) return placeNothing
    const found = await texts.find({ field, access }, slots.flatMap(relatedOf))
    return (related, answer) => {
      const text = found.get(relatedKey(related)) ?? null
      return text === null ? undefined : texts.place(text, answer)
    }
  }
}

/** One statement for all fields. */
async function placingObjects(
  ctx: Context,
  access: RelatedAccess | null,
  byField: ReadonlyMap<Field, readonly RelationshipSlot[]>,
  filling: Filling,
): Promise<PlacingOf> {
  if (access === null) return async () => placeNothing
  const ids = [...new Set([...byField.values()].flat().flatMap(idsOf))]
  const documents = ids.length > 0 ? await ctx.store.documents.many(access.view, ids) : []
  return async (field, slots) => {
    const used = byField.size === 1 ? documents : usedBy(slots, documents)
    const answers = await filling.present(used, { field, access })
    return ({ docId, fields }, answer) => {
      const document = answers.get(docId)
      if (document === undefined) return undefined
      const copy = withFields(filling.placed(document, answer), fields)
      filling.copied(document, copy, fields)
      return copy
    }
  }
}

/** Copies of the documents that a field points to: other fields may show less or more of them. */
function usedBy(slots: readonly RelationshipSlot[], documents: readonly Document[]): Document[] {
  const used = new Set(slots.flatMap(idsOf))
  return documents
    .filter((document) => used.has(document.id.docId))
    .map((document) => ({ ...document, fields: copyJson(document.fields) }))
}

/** Returns which of the related documents are shown. */
function fill(slot: RelationshipSlot, place: Place): ReadonlySet<DocId> {
  const { field, values, answer } = slot
  const placed = new Set<DocId>()
  leaveOutNothing(slot)
  values[field.name] = relatedOf(slot).flatMap((related) => {
    const json = place(related, answer)
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
  const shown = access
    ? await filling.present([...documents.values()], { field, access })
    : new Map<DocId, JsonObject>()
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
