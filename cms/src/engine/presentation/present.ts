import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { ASIDE } from '../../model/aside.ts'
import { blankProperties } from '../../model/blank.ts'
import { type DocId, type Document, DocumentId } from '../../model/document.ts'
import type { Field } from '../../model/fields/field-type.ts'
import { propertyNames } from '../../model/property-names.ts'
import { hasRole } from '../../model/roles.ts'
import { isStored, storedValue, walk } from '../../model/schema.ts'
import type { Site, Type } from '../../model/types.ts'
import type { Context } from '../context.ts'
import { AttachmentSlots } from '../media/attachments.ts'
import { editAction, isAnonymous, may, type ReadAccess, roleOf, seesField } from '../permissions.ts'
import { MINIMAL, type RelatedAccess, relatedAccess, seesAllRelated, seesRelatedField, targetOf } from '../related.ts'
import { type Opening, type PresentRelated, populate } from './populate.ts'
import { isNamed, onlyNames, type Projection, projectsField, projectsName } from './projection.ts'
import { pageUrl } from './url.ts'

/** What every answer carries, whatever the projection says (§2.1). */
const ALWAYS = new Set(['_id', 'aposDocId', 'aposLocale', 'aposMode', 'type', 'metaType'])
const MINIMAL_ANSWER = onlyNames(MINIMAL)
const ANNOTATIONS = new Set(['_create', '_edit', '_publish', '_delete'])

/** How documents of one type are shown to the caller. */
export interface Presentation {
  readonly type: Type
  readonly access: ReadAccess
  /** The request's own narrowing; null: everything that may be seen. */
  readonly project: Projection | null
}

/**
 * Documents → JSON for the caller (§2.1): hidden fields left out, relationships filled in one level deep (deeper where
 * a relationship says so), annotations added. All documents are of one type, locale and mode. Their fields become part
 * of the answer: do not use the documents afterwards.
 */
export async function present(
  ctx: Context,
  documents: readonly Document[],
  presentation: Presentation,
): Promise<JsonObject[]> {
  const slots = new AttachmentSlots()
  const fields = shownFields(ctx, presentation)
  const answers = await presentFields(ctx, documents, presentation, { fields, isOpened: allRelationships, slots })
  await slots.fill(ctx)
  return answers
}

/** Which relationships of a level are filled in. */
type Deeper = (field: Field) => boolean
const allRelationships: Deeper = () => true

/** One level of an answer: the fields shown there, the relationships filled in, and where attachments are gathered. */
interface Level {
  readonly fields: readonly Field[]
  readonly isOpened: Deeper
  readonly slots: AttachmentSlots
}

async function presentFields(
  ctx: Context,
  documents: readonly Document[],
  { type, access, project }: Presentation,
  level: Level,
): Promise<JsonObject[]> {
  const openings: Opening[] = []
  const { slots } = level
  const isMedia = isMediaType(ctx.site, type)
  const answers = documents.map((document) => {
    const answer = shownValues(ctx, type, access, document, level.fields)
    openings.push(...prepare(ctx, access, document, answer, level))
    if (isMedia) slots.addPiece(answer, document.fields.attachment)
    return answer
  })
  const scope = documents[0]?.id
  if (scope && openings.length > 0) {
    const present: PresentRelated = (related, to, field) => presentRelated(ctx, related, to, { field, slots })
    await populate(ctx, scope, openings, { present, copied: (...copy) => slots.copied(...copy) })
  }
  if (ctx.hooks.has('present')) for (const answer of answers) await ctx.hooks.run('present', answer, ctx)
  return answers.map((answer) => narrowed(answer, access, type, project))
}

/** The top-level fields to show: what may be seen and was asked for. */
function shownFields(ctx: Context, { type, access, project }: Presentation): Field[] {
  return type.fields.list.filter((field) => {
    if (!seesField(ctx.actor, access, type, field)) return false
    return projectsField(project, field)
  })
}

function shownValues(
  ctx: Context,
  type: Type,
  access: ReadAccess,
  document: Document,
  shown: readonly Field[],
): JsonObject {
  const { id, fields } = document
  const answer: JsonObject = { _id: DocumentId.format(id), aposDocId: id.docId }
  if (id.locale !== '') Object.assign(answer, { aposLocale: `${id.locale}:${id.mode}`, aposMode: id.mode })
  Object.assign(answer, { type: document.type, metaType: 'doc' })
  for (const field of shown) {
    if (field.type.secret) continue
    for (const name of propertyNames(field)) {
      const value = fields[name]
      if (value !== undefined) answer[name] = value
    }
    if (!isStored(field, answer)) Object.assign(answer, blankProperties(field, id.docId))
  }
  if (type.family === 'page') answer._url = pageUrl(ctx.site, id.locale, String(fields.slug))
  Object.assign(answer, systemValues(document))
  if (!isAnonymous(ctx.actor) && access.fields === 'full') Object.assign(answer, annotations(ctx, type, document))
  return answer
}

function systemValues({
  id,
  fields,
  createdAt,
  updatedAt,
  updatedBy,
  lastPublishedAt,
  modified,
}: Document): JsonObject {
  return {
    createdAt,
    updatedAt,
    updatedBy: { ...updatedBy },
    ...(id.locale === '' ? {} : { lastPublishedAt }),
    ...(id.mode === 'draft' ? { modified } : {}),
    ...(fields.copyOfId === undefined ? {} : { copyOfId: fields.copyOfId }),
  }
}

/** What the caller may do with the document; only what is true is said. */
function annotations(ctx: Context, type: Type, { id, lastPublishedAt }: Document): JsonObject {
  const isFresh = id.mode === 'draft' && lastPublishedAt === null
  return {
    ...(may(ctx.actor, id.mode === 'draft' ? 'createDraft' : 'createPublished', type) ? { _create: true } : {}),
    ...(may(ctx.actor, editAction(id.mode), type) ? { _edit: true } : {}),
    ...(may(ctx.actor, 'publish', type) ? { _publish: true } : {}),
    ...(may(ctx.actor, isFresh ? 'deleteDraft' : 'deletePublished', type) ? { _delete: true } : {}),
  }
}

/** Takes out what lies deeper and is hidden, marks areas and widgets, and collects the relationships to fill in. */
function prepare(
  ctx: Context,
  access: ReadAccess,
  document: Document,
  answer: JsonObject,
  { fields: shown, isOpened, slots }: Level,
): Opening[] {
  const openings: Opening[] = []
  const { docId } = document.id
  const mark = { _edit: answer._edit === true, _docId: answer._id ?? docId }
  const role = roleOf(ctx.actor)
  for (const { field, values, depth, parent } of walk({ list: shown, byName: new Map() }, answer)) {
    if (parent !== null && parent.field.type.relation === undefined && !isStored(field, values)) {
      Object.assign(values, blankProperties(field, String(values._id)))
    }
    if (field.type.children) hideAsides(field, values)
    const isHidden = field.type.secret !== undefined || (field.viewRole !== null && !hasRole(role, field.viewRole))
    if (depth > 0 && isHidden) hide(field, values)
    else if (targetOf(field) !== null) {
      if (isOpened(field)) openings.push({ field, values, docId })
      // Only a look-up tells which ids the caller may know: what is not filled in is not named.
      else if (!seesAllRelated(ctx, relatedAccess(ctx, targetOf(field) ?? '', document.id))) hide(field, values)
    } else if (field.type.file) {
      const value = values[field.name]
      if (isObject(value)) slots.add(value)
    } else if (field.type.children && access.fields === 'full') markHolders(field, values, mark)
  }
  return openings
}

/** What is kept, but not shown: values that fields do not take any more, and widgets that are no longer allowed. */
function hideAsides(field: Field, values: JsonObject): void {
  const { type, options } = field
  const value = storedValue(field, values)
  if (value === null) return
  for (const { values: holder } of type.children?.(value, options) ?? []) delete holder[ASIDE]
  for (const stray of type.strays?.(value, options) ?? []) {
    for (const property of Object.keys(stray)) if (!SHELL.has(property)) delete stray[property]
  }
}

const SHELL = new Set(['_id', 'metaType', 'type'])

function hide(field: Field, values: JsonObject): void {
  for (const name of propertyNames(field)) delete values[name]
}

/** `_edit` and `_docId` on areas, widgets and array items, for known callers (§2.1). */
function markHolders(field: Field, values: JsonObject, mark: { readonly _edit: boolean; readonly _docId: Json }): void {
  const value = values[field.name]
  if (typeof value !== 'object' || value === null) return
  const items = Array.isArray(value) ? value : [value, ...(Array.isArray(value.items) ? value.items : [])]
  for (const item of items) {
    if (typeof item !== 'object' || item === null || Array.isArray(item) || item.metaType === 'object') continue
    if (mark._edit) item._edit = true
    item._docId = mark._docId
  }
}

async function presentRelated(
  ctx: Context,
  documents: readonly Document[],
  to: RelatedAccess,
  { field: from, slots }: { readonly field: Field; readonly slots: AttachmentSlots },
): Promise<ReadonlyMap<DocId, JsonObject>> {
  // `as`: both relationship types declare these options.
  const { builders, withRelationships } = from.options as {
    readonly builders?: { readonly project?: { readonly [name: string]: unknown } }
    readonly withRelationships?: boolean | readonly string[]
  }
  const isOpened: Deeper = (field) =>
    withRelationships === true || (Array.isArray(withRelationships) && withRelationships.includes(field.name))
  const named = builders?.project && Object.keys(builders.project).filter((name) => builders.project?.[name])
  const access: ReadAccess = { fields: to.fields === 'full' ? 'full' : 'public', visibility: to.view.visibility }
  const project = to.fields === 'minimal' ? MINIMAL_ANSWER : named ? onlyNames(named) : null
  const presentation = { type: to.type, access, project }
  const fields = to.fields === 'minimal' ? minimalFields(ctx, to) : shownFields(ctx, presentation)
  const answers = await presentFields(ctx, documents, presentation, { fields, isOpened, slots })
  return new Map(answers.map((answer) => [String(answer.aposDocId), answer]))
}

/** Images and files are pieces whose `_url` is their file's (§4.3). */
function isMediaType({ namespace }: Site, { name }: Type): boolean {
  return name === `${namespace}/image` || name === `${namespace}/file`
}

function minimalFields(ctx: Context, to: RelatedAccess): Field[] {
  return to.type.fields.list.filter(({ name }) => seesRelatedField(ctx, to, name))
}

/** Applies the public projection and the request's own to all names that are not fields of the type. */
function narrowed(answer: JsonObject, access: ReadAccess, type: Type, project: Projection | null): JsonObject {
  if (access.fields === 'full' && project === null) return answer
  const isPublicName = (name: string) =>
    access.fields === 'full' || project === MINIMAL_ANSWER || isNamed(type.publicProjection, name)
  for (const name of Object.keys(answer)) {
    if (ALWAYS.has(name) || ANNOTATIONS.has(name)) continue
    if (!isPublicName(name) || !projectsName(project, name)) delete answer[name]
  }
  return answer
}
