import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { type Document, openValues } from '../../model/terms/document.ts'
import { type DocId, DocumentId } from '../../model/terms/document-id.ts'
import { ASIDE } from '../../model/values/aside.ts'
import { blankProperties } from '../../model/values/blank.ts'
import { linkedIds } from '../../model/values/rich-text-links.ts'
import { storedValue } from '../../model/values/walk.ts'
import { type Projection, within, withinWidget } from './projection.ts'

/**
 * The task for a field of an answer: `open`: its inner fields are processed; `relate`, `attach`: documents or a file
 * are filled in; `link`: the ids that its text, and those of its neighbours, link to are added next to it; `hide`: it is
 * removed.
 */
export type Task = 'none' | 'open' | 'relate' | 'attach' | 'link' | 'hide'

/** A field, and what happens to it for callers of one audience. */
export interface PlannedField {
  readonly field: Field
  /** The names under which it is stored. */
  readonly names: readonly string[]
  readonly task: Task
  /** The caller may know the ids of related documents that are not filled in. */
  readonly seesIds: boolean
  readonly links: Links | null
  /** The shown part of it; null for everything. */
  readonly project: Projection | null
  /** Whether a relationship is filled in; null where that does not depend on the request. */
  readonly isOpened: boolean | null
}

/** The rich texts of a holder, and the names under which the ids that they link to are added. */
interface Links {
  readonly texts: readonly string[]
  readonly names: readonly LinkName[]
}

export type LinkName = keyof ReturnType<typeof linkedIds>

/** How fields inside a document are prepared for callers of one audience. */
export interface FieldPlans {
  /** Annotations are for callers who see the whole document. */
  readonly annotates: boolean
  of(fields: Fields, project: Projection | null): readonly PlannedField[]
}

/** A document of an answer that is being prepared, and the lists of what will be filled in. */
interface Preparation {
  readonly plan: { readonly prepared: readonly PlannedField[]; readonly fieldPlans: FieldPlans }
  readonly docId: DocId
  readonly answer: JsonObject
  /** Collects the attachments. */
  readonly slots: { add(value: JsonObject): void }
  readonly relationships: RelationshipSlot[]
  /** The relationships that lead from the document of the answer to this one. */
  readonly above: readonly Field[]
  /** Whether a relationship is filled in where the request does not say so. */
  isOpened(field: Field): boolean
  /** Areas will be rendered: relationships of their widgets are filled in, too. */
  readonly isRendered: boolean
}

/** How deep relationships of widgets are filled in for rendering. */
const RENDERED_LEVELS = 3

/** An object that holds values of fields: the document, or one inside of it. */
interface PreparedHolder {
  readonly values: JsonObject
  readonly isInWidget: boolean
}

/** Removes what is hidden or not shown, annotates areas and widgets, and collects what will be filled in. */
export function prepare(to: Preparation): void {
  prepareFields(to, to.plan.prepared, { values: to.answer, isInWidget: false })
}

function prepareFields(to: Preparation, fields: readonly PlannedField[], holder: PreparedHolder): void {
  for (const planned of fields) prepareField(to, planned, holder)
}

function prepareField(to: Preparation, planned: PlannedField, holder: PreparedHolder): void {
  const { field, task } = planned
  const { values } = holder
  if (task === 'none') return
  if (task === 'hide') hide(planned, values)
  else if (task === 'attach') {
    const value = values[field.name]
    if (isObject(value)) to.slots.add(value)
  } else if (task === 'link') addLinks(planned.links, values)
  else if (task === 'open' || relate(to, planned, holder)) openField(to, planned, holder)
}

/** The ids of what all rich texts of a holder link to. */
function addLinks(links: Links | null, values: JsonObject): void {
  if (links === null) return
  const ids = linkedIds(links.texts.map((name) => String(values[name] ?? '')).join(''))
  for (const name of links.names) values[name] = ids[name]
}

/**
 * Prepares a relationship: collects it to be filled in, or decides whether its ids are shown, which they are when the
 * caller may know all documents of the type. False when nothing inside it is shown. An empty one is filled in at once.
 */
function relate(to: Preparation, planned: PlannedField, { values, isInWidget }: PreparedHolder): boolean {
  const { field, seesIds, names, project } = planned
  const isOpened = planned.isOpened ?? to.isOpened(field)
  if (isOpened || (isInWidget && to.isRendered && to.above.length < RENDERED_LEVELS)) {
    const { docId, answer } = to
    // In the same position among the properties, whether what it leads to is shown or hidden.
    values[field.name] = []
    const isEmpty = isEmptyList(values[names[0] ?? ''])
    if (!isEmpty) to.relationships.push({ field, project, values, docId, answer })
    return !isEmpty
  }
  if (!seesIds) hide(planned, values)
  return seesIds
}

function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0
}

/** Prepares the fields in the value of a field. */
function openField(to: Preparation, shown: PlannedField, { values, isInWidget }: PreparedHolder): void {
  const { field } = shown
  const { type, options } = field
  const value = type.children === undefined ? null : storedValue(field, values)
  if (value === null) return
  for (const stray of type.strays?.(value, options) ?? []) empty(stray)
  const isRelation = type.relation !== undefined
  if (to.plan.fieldPlans.annotates && !isRelation) annotate(value, to.answer)
  const inWidget = isInWidget || type.strays !== undefined
  for (const { values: inner, fields } of type.children?.(value, options) ?? []) {
    const planned = to.plan.fieldPlans.of(fields, shownInside(to, shown, inner))
    if (Object.hasOwn(inner, ASIDE)) delete inner[ASIDE]
    if (!isRelation) fillBlanks(planned, inner)
    prepareFields(to, planned, { values: inner, isInWidget: inWidget })
  }
}

/** The shown part of a holder in a value; null for everything. Templates that render areas see whole widgets. */
function shownInside(
  { isRendered }: Preparation,
  { field, project }: PlannedField,
  { type }: JsonObject,
): Projection | null {
  if (field.type.relation !== undefined) return within(project, '_fields')
  if (field.type.strays === undefined) return project
  return isRendered ? null : withinWidget(project, String(type))
}

/** Fields declared since the holder was stored have their blank value. */
function fillBlanks(fields: readonly PlannedField[], values: JsonObject): void {
  for (const { field, names } of fields) {
    if (!areStored(names, values)) Object.assign(values, blankProperties(field, String(values._id)))
  }
}

function areStored(names: readonly string[], values: JsonObject): boolean {
  for (const name of names) if (Object.hasOwn(values, name)) return true
  return false
}

const SHELL = new Set(['_id', 'metaType', 'type'])

/** A widget that is not allowed any more is stored, but not shown. */
function empty(stray: JsonObject): void {
  for (const property of Object.keys(stray)) if (!SHELL.has(property)) delete stray[property]
}

function hide({ names }: PlannedField, values: JsonObject): void {
  for (const name of names) delete values[name]
}

/** `_edit` and `_docId` on areas, widgets and array items, for callers who see the whole document (§2.1). */
function annotate(value: Json, { _id, _edit }: JsonObject): void {
  if (typeof value !== 'object' || value === null) return
  const items = Array.isArray(value) ? value : [value, ...(Array.isArray(value.items) ? value.items : [])]
  for (const item of items) {
    if (typeof item !== 'object' || item === null || Array.isArray(item) || item.metaType === 'object') continue
    if (_edit === true) item._edit = true
    item._docId = _id ?? null
  }
}

/** The properties of a document that are shown. */
export interface ShownProperties {
  /** Secrets never are. */
  readonly fields: readonly ShownField[]
  /** Properties that are no fields. */
  readonly values: readonly SystemValue[]
  /** The rights of the caller on a copy; null where the answer does not say. */
  readonly rights: Rights | null
}

/** A shown field, and the names under which it is stored. */
interface ShownField {
  readonly field: Field
  readonly names: readonly string[]
}

/** A property of a document that is not a field; undefined where a copy has none. */
export interface SystemValue {
  readonly name: string
  of(document: Document): Json | undefined
}

/** The annotations of copies (§2.1), which say what the caller may do. */
export interface Rights {
  readonly published: JsonObject
  readonly draft: JsonObject
  /** Of drafts that were never published. */
  readonly fresh: JsonObject
}

/**
 * The properties of a document itself (§2.1): ids, the values of fields, its URL where that is shown, dates, and what
 * the caller may do with it.
 */
export function shownValues(document: Document, shown: ShownProperties, url: string | null): JsonObject {
  const { id } = document
  const fields = openValues(document)
  const answer = identityOf(document)
  for (const { field, names } of shown.fields) {
    let isStored = false
    for (const name of names) {
      const value = fields[name]
      if (value === undefined) continue
      answer[name] = value
      isStored = true
    }
    if (!isStored) Object.assign(answer, blankProperties(field, id.docId))
  }
  if (url !== null) answer._url = url
  for (const { name, of } of shown.values) {
    const value = of(document)
    if (value !== undefined) answer[name] = value
  }
  return shown.rights === null ? answer : Object.assign(answer, rightsTo(document, shown.rights))
}

/** The properties that say which document an answer is (§2.1). */
export function identityOf({ id, type }: Pick<Document, 'id' | 'type'>): JsonObject {
  const answer: JsonObject = { _id: DocumentId.format(id), aposDocId: id.docId }
  if (id.locale !== '') {
    answer.aposLocale = `${id.locale}:${id.mode}`
    answer.aposMode = id.mode
  }
  answer.type = type
  answer.metaType = 'doc'
  return answer
}

function rightsTo({ id, wasPublished }: Document, { published, draft, fresh }: Rights): JsonObject {
  if (id.mode === 'published') return published
  return wasPublished ? draft : fresh
}

/** A relationship of one document that will be filled in. */
export interface RelationshipSlot {
  readonly field: Field
  /** The shown part of the documents; null for everything. */
  readonly project: Projection | null
  /** The object that holds the ids, and will hold the documents. */
  readonly values: JsonObject
  /** The document that it belongs to. */
  readonly docId: DocId
  /** The answer for that document. */
  readonly answer: JsonObject
}

/** A document that a relationship leads to, and what the relationship says of it. */
export interface Related {
  readonly docId: DocId
  readonly fields: JsonObject
}

/**
 * Returns what to put into an answer for a related document, with what the relationship says of it if that is not null;
 * undefined for one that is not shown. Throws `invalid` when the answer is too long.
 */
export type PlaceRelated = (docId: DocId, fields: JsonObject | null, answer: JsonObject) => Json | undefined

/** Other ones where another text is shown. */
export function relatedKey({ docId, fields }: Related): string {
  return Object.keys(fields).length === 0 ? docId : `${docId} ${JSON.stringify(fields)}`
}

/** A related document as an answer holds it. */
export function withFields(document: JsonObject, fields: JsonObject): JsonObject {
  return { ...document, _fields: fields }
}
