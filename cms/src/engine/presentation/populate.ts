import { copyJson, type Json, type JsonObject } from '../../base/json.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { isNothing } from '../../model/field-type/outside.ts'
import { type Document, openValues } from '../../model/terms/document.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import { propertyNames, targetsOf } from '../../model/values/walk.ts'
import type { Context } from '../context.ts'
import { type FoundRelated, readRelated } from '../related-documents.ts'
import { type CopyScope, type RelatedAccess, type RelatedBy, relatedAccess, relatedAccesses } from '../view.ts'
import type { PlaceRelated, Related, RelationshipSlot } from './prepare.ts'
import type { Projection } from './projection.ts'

/** The most documents that a reverse relationship shows, newest first. */
const REVERSE_LIMIT = 100

/** A relationship, how the caller sees what it leads to, and what is shown of that; null for everything. */
export type ShownBy = RelatedBy & { readonly project: Projection | null }

/** Puts related documents into an answer. */
export interface Filling {
  /** As text (`RelatedTexts`); null to fill in all as objects. */
  readonly texts: {
    takes(field: Field): boolean
    placing(by: RelatedBy, related: readonly Related[]): Promise<PlaceRelated>
  } | null
  /** Prepares to place the documents that one field leads to as objects. */
  placing(documents: readonly Document[], by: ShownBy): Promise<PlaceRelated>
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
  const forward = slots.filter(({ field }) => field.type.relation === 'forward')
  const documents = await documentsOf(
    ctx,
    scope,
    forward.filter((slot) => !isText(filling, slot)),
  )
  const groups = byRelationship(slots).flatMap((ofField): RelatedSlots[] => {
    const [first] = ofField
    if (first === undefined) return []
    const { field, project } = first
    return [{ field, project, accesses: relatedAccesses(ctx, field, scope), slots: ofField }]
  })
  // At the same time: what several relationships lead on to is read together.
  const fillings = groups.map((related) =>
    related.field.type.relation === 'reverse'
      ? fillReverse(ctx, related, filling)
      : fillForward(ctx, { ...related, documents }, filling),
  )
  await Promise.all(fillings)
}

/** Whether documents are filled in as text: whole ones are. */
function isText({ texts }: Filling, { field, project }: Pick<RelationshipSlot, 'field' | 'project'>): boolean {
  return project === null && texts?.takes(field) === true
}

/** The places of each relationship of which the same is shown. */
function byRelationship(slots: readonly RelationshipSlot[]): RelationshipSlot[][] {
  const ofFields = [...Map.groupBy(slots, ({ field }) => field).values()]
  return ofFields.flatMap((ofField) => [...Map.groupBy(ofField, ({ project }) => project).values()])
}

/** The places of one relationship, and how the caller sees the documents that it leads to, by type. */
interface RelatedSlots {
  readonly field: Field
  readonly project: Projection | null
  readonly accesses: readonly RelatedAccess[]
  readonly slots: readonly RelationshipSlot[]
}

/** Related documents of one type and locale, and whether several fields show them. */
interface RelatedDocuments extends FoundRelated<RelatedAccess> {
  readonly isShared: boolean
}

/** Reads the documents that relationships lead to, by type, with one statement for each, and for each locale that it falls back to. */
async function documentsOf(
  ctx: Context,
  scope: CopyScope,
  slots: readonly RelationshipSlot[],
): Promise<ReadonlyMap<string, readonly RelatedDocuments[]>> {
  const documents = new Map<string, readonly RelatedDocuments[]>()
  for (const typeName of new Set(slots.flatMap(({ field }) => targetsOf(field)))) {
    const access = relatedAccess(ctx, typeName, scope)
    const leading = slots.filter(({ field }) => targetsOf(field).includes(typeName))
    const ids = [...new Set(leading.flatMap(idsOf))]
    const found =
      access && ids.length > 0 ? await readRelated({ viewer: ctx, reader: ctx.store.documents }, access, ids) : []
    const isShared = byRelationship(leading).length > 1
    documents.set(
      typeName,
      found.map((one) => ({ ...one, isShared })),
    )
  }
  return documents
}

const placeNothing: PlaceRelated = () => undefined

/** Fills in one relationship. */
async function fillForward(
  ctx: Context,
  { documents, ...related }: RelatedSlots & { readonly documents: ReadonlyMap<string, readonly RelatedDocuments[]> },
  filling: Filling,
): Promise<void> {
  const { field, project, accesses, slots } = related
  const { texts } = filling
  const places: PlaceRelated[] = []
  for (const access of accesses) {
    if (texts && isText(filling, related)) places.push(await texts.placing({ field, access }, slots.flatMap(relatedOf)))
    else {
      for (const { documents: found, isShared, access: of } of documents.get(access.shown.type.name) ?? []) {
        places.push(await filling.placing(isShared ? copiesFor(slots, found) : found, { field, access: of, project }))
      }
    }
  }
  const filled = slots.map((slot) => ({ slot, shown: fill(slot, firstOf(places)) }))
  await keepShownIds(ctx, related, filled)
}

/** A document is of one type, and shown in one locale: one of the places at most has it. */
function firstOf([first = placeNothing, ...others]: readonly PlaceRelated[]): PlaceRelated {
  if (others.length === 0) return first
  const next = firstOf(others)
  return (docId, fields, answer) => first(docId, fields, answer) ?? next(docId, fields, answer)
}

/** Copies of the documents that a field points to: other fields may show less or more of them. */
function copiesFor(slots: readonly RelationshipSlot[], documents: readonly Document[]): Document[] {
  const used = new Set(slots.flatMap(idsOf))
  return documents
    .filter((document) => used.has(document.id.docId))
    .map((document) => ({ ...document, fields: copyJson(openValues(document)) }))
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

/** Removes the empty fields of a relationship from the answer. */
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

interface FilledSlot {
  readonly slot: RelationshipSlot
  /** The documents that are shown there. */
  readonly shown: ReadonlySet<DocId>
}

/**
 * Leaves only the ids of documents that are shown, and of types of which the caller may know all documents (§5.8). The
 * types are looked up, with one statement, where that holds for some of several.
 */
async function keepShownIds(ctx: Context, { field, accesses }: RelatedSlots, filled: FilledSlot[]): Promise<void> {
  const known = new Set(accesses.filter(({ shown }) => shown.knowsAll).map(({ shown }) => shown.type.name))
  if (targetsOf(field).every((name) => known.has(name))) return
  const unplaced = filled.flatMap(({ slot, shown }) => idsOf(slot).filter((id) => !shown.has(id)))
  const types = known.size > 0 && unplaced.length > 0 ? await ctx.store.documents.types([...new Set(unplaced)]) : null
  for (const { slot, shown } of filled) keepIds(slot, (id) => shown.has(id) || known.has(types?.get(id) ?? ''))
}

/** Leaves only some ids, with what the relationship says of these documents. */
function keepIds({ field, values }: RelationshipSlot, isKept: (id: DocId) => boolean): void {
  const [idsName = '', fieldsName = ''] = propertyNames(field)
  const fieldsById = (values[fieldsName] ?? {}) as JsonObject
  values[idsName] = textList(values[idsName]).filter(isKept)
  values[fieldsName] = Object.fromEntries(Object.entries(fieldsById).filter(([id]) => isKept(id)))
}

async function fillReverse(ctx: Context, related: RelatedSlots, filling: Filling): Promise<void> {
  const { field, project, accesses, slots } = related
  const [access] = accesses
  // `as`: relationshipReverse declares `reverseOf`, the relationship that it reads the other way round.
  const { reverseOf, max } = field.options as { readonly reverseOf: string; readonly max?: number }
  const ids = [...new Set(slots.map(({ docId }) => docId))]
  const pointing = access?.shown.field(reverseOf)
    ? await ctx.store.documents.pointingTo(access.view, { name: reverseOf, docIds: ids, limit: max ?? REVERSE_LIMIT })
    : []
  const documents = new Map(pointing.map(({ document }) => [document.id.docId, document]))
  const place = access ? await filling.placing([...documents.values()], { field, access, project }) : placeNothing
  const byTarget = Map.groupBy(pointing, ({ target }) => target)
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

/**
 * True where a relationship says nothing of a document. An empty value says something where the field has a default:
 * sent back without it, the document would get that.
 */
function saysNothing({ type, options }: Field, fields: JsonObject): boolean {
  return isNothing(fields) && type.innerFields?.(options).list.some(hasDefault) !== true
}

function hasDefault({ def, type, options }: Field): boolean {
  return def !== undefined || type.innerFields?.(options).list.some(hasDefault) === true
}
