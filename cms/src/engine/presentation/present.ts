import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { ASIDE } from '../../model/aside.ts'
import { blankProperties } from '../../model/blank.ts'
import type { DocId, Document } from '../../model/document.ts'
import type { Field } from '../../model/fields/field-type.ts'
import { propertyNames } from '../../model/property-names.ts'
import { linkedIds } from '../../model/rich-text-links.ts'
import { hasRole } from '../../model/roles.ts'
import { targetOf } from '../../model/target.ts'
import type { Site, Type } from '../../model/types.ts'
import { isStored, type LocatedField, storedValue, walk } from '../../model/walk.ts'
import type { Context } from '../context.ts'
import { AttachmentSlots } from '../media/attachments.ts'
import { type ReadAccess, roleOf, seesField } from '../permissions.ts'
import { MINIMAL, type RelatedAccess, relatedAccess, seesAllRelated, seesRelatedField } from '../related.ts'
import { pieceUrls } from './piece-urls.ts'
import { populate, type RelationshipSlot } from './populate.ts'
import { isNamed, onlyNames, type Projection, projectsField, projectsName } from './projection.ts'
import { RelatedSize, type WhenTooLong } from './related-size.ts'
import { shownValues } from './shown-values.ts'

/** What every answer carries, whatever the projection says (§2.1). */
const ALWAYS = new Set(['_id', 'aposDocId', 'aposLocale', 'aposMode', 'type', 'metaType'])
const MINIMAL_ANSWER = onlyNames(MINIMAL)
const SHORT = [...ALWAYS, ...MINIMAL]
const ANNOTATIONS = new Set(['_create', '_edit', '_publish', '_delete'])

/** How documents of one type are shown to the caller. */
export interface Presentation {
  readonly type: Type
  readonly access: ReadAccess
  /** The request's own projection; null: everything that may be seen. */
  readonly project: Projection | null
  /** Areas will be drawn: those of related documents too, so what their widgets relate to is filled in. */
  readonly isDrawn?: boolean
  /** Refused when left out. What was written is answered, however long it is. */
  readonly whenRelatedTooLong?: WhenTooLong
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
  const sizes = new RelatedSize(presentation.whenRelatedTooLong ?? 'refuse', shortened)
  const answers = await presentFields(ctx, documents, presentation, {
    fields,
    isOpened: allRelationships,
    isDrawn: presentation.isDrawn ?? false,
    above: [],
    slots,
    sizes,
  })
  await slots.fill(ctx)
  return answers
}

/** Documents related to related documents may be drawn, but not what their widgets relate to. */
const DRAWN_LEVELS = 3

/** Which relationships of a level are filled in. */
type Deeper = (field: Field) => boolean
const allRelationships: Deeper = () => true

/** What all levels of an answer have in common. */
interface Gathered {
  readonly slots: AttachmentSlots
  readonly sizes: RelatedSize
  readonly isDrawn: boolean
}

/** One level of an answer. */
interface Level extends Gathered {
  readonly fields: readonly Field[]
  readonly isOpened: Deeper
  /** The relationships that led here. */
  readonly above: readonly Field[]
}

async function presentFields(
  ctx: Context,
  documents: readonly Document[],
  { type, access, project }: Presentation,
  level: Level,
): Promise<JsonObject[]> {
  const relationships: RelationshipSlot[] = []
  const { slots, sizes, isDrawn, above } = level
  const isMedia = isMediaType(ctx.site, type)
  const scope = documents[0]?.id
  const urlsOf = scope && type.family === 'piece' ? await pieceUrls(ctx, type, scope) : null
  const answers = documents.map((document) => {
    const answer = shownValues(ctx, document, { type, access, fields: level.fields })
    if (urlsOf) Object.assign(answer, urlsOf(document))
    if (above.length > 0) sizes.measure(answer)
    for (const relationship of prepare(ctx, access, document, answer, level)) relationships.push(relationship)
    if (isMedia) slots.addPiece(answer, document.fields.attachment)
    return answer
  })
  if (scope && relationships.length > 0) {
    await populate(ctx, scope, relationships, {
      present: (related, to, field) =>
        presentRelated(ctx, related, to, field, { above: [...above, field], slots, sizes, isDrawn }),
      placed: (related, answer) => {
        const placed = sizes.place(related, answer)
        if (placed !== related) slots.copied(related, placed, {})
        return placed
      },
      copied: (...copy) => slots.copied(...copy),
    })
  }
  if (ctx.hooks.has('present')) for (const answer of answers) await ctx.hooks.run('present', answer, ctx)
  return answers.map((answer) => narrowed(answer, access, type, project))
}

/** A related document by which it can be known, and no more. */
function shortened(document: JsonObject): JsonObject {
  return Object.fromEntries(SHORT.flatMap((name) => (name in document ? [[name, document[name] ?? null]] : [])))
}

/** The top-level fields to show: what may be seen and was requested. */
function shownFields(ctx: Context, { type, access, project }: Presentation): Field[] {
  return type.fields.list.filter((field) => {
    if (!seesField(ctx.actor, access, type, field)) return false
    return projectsField(project, field)
  })
}

/** Removes hidden nested fields, annotates areas and widgets, and collects the relationships to fill in. */
function prepare(
  ctx: Context,
  access: ReadAccess,
  document: Document,
  answer: JsonObject,
  { fields: shown, isOpened, isDrawn, above, slots }: Level,
): RelationshipSlot[] {
  const relationships: RelationshipSlot[] = []
  const { docId } = document.id
  const annotations = { _edit: answer._edit === true, _docId: answer._id ?? docId }
  const role = roleOf(ctx.actor)
  const opensWidgets = isDrawn && above.length < DRAWN_LEVELS
  for (const located of walk({ list: shown, byName: new Map() }, answer)) {
    const { field, values, depth, parent } = located
    if (parent !== null && parent.field.type.relation === undefined && !isStored(field, values)) {
      Object.assign(values, blankProperties(field, String(values._id)))
    }
    if (field.type.children) hideAsides(field, values)
    const isHidden = field.type.secret !== undefined || (field.viewRole !== null && !hasRole(role, field.viewRole))
    if (depth > 0 && isHidden) hide(field, values)
    else if (targetOf(field) !== null) {
      if (isOpened(field) || (opensWidgets && isInWidget(located))) relationships.push({ field, values, docId, answer })
      // Only a look-up tells which ids the caller may know: what is not filled in is not named.
      else if (!seesAllRelated(ctx, relatedAccess(ctx, targetOf(field) ?? '', document.id))) hide(field, values)
    } else if (field.type.file) {
      const value = values[field.name]
      if (isObject(value)) slots.add(value)
    } else if (access.fields !== 'full') continue
    else if (field.type.children) annotateHolders(field, values, annotations)
    else if (field.type.setByAreas) Object.assign(values, linkedIds(String(values[field.name] ?? '')))
  }
  return relationships
}

function isInWidget({ parent }: LocatedField): boolean {
  return parent !== null && (parent.field.type.strays !== undefined || isInWidget(parent))
}

/** Removes stored values that are not shown: those set aside, and widgets that are no longer allowed. */
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
function annotateHolders(
  field: Field,
  values: JsonObject,
  annotations: { readonly _edit: boolean; readonly _docId: Json },
): void {
  const value = values[field.name]
  if (typeof value !== 'object' || value === null) return
  const items = Array.isArray(value) ? value : [value, ...(Array.isArray(value.items) ? value.items : [])]
  for (const item of items) {
    if (typeof item !== 'object' || item === null || Array.isArray(item) || item.metaType === 'object') continue
    if (annotations._edit) item._edit = true
    item._docId = annotations._docId
  }
}

async function presentRelated(
  ctx: Context,
  documents: readonly Document[],
  to: RelatedAccess,
  from: Field,
  gathered: Pick<Level, 'above' | 'slots' | 'sizes' | 'isDrawn'>,
): Promise<ReadonlyMap<DocId, JsonObject>> {
  const { above } = gathered
  // `as`: both relationship types declare these options.
  const { builders, withRelationships } = from.options as {
    readonly builders?: { readonly project?: { readonly [name: string]: unknown } }
    readonly withRelationships?: boolean | readonly string[]
  }
  const isOpened: Deeper = (field) => {
    const isNamed = Array.isArray(withRelationships) && withRelationships.includes(field.name)
    // Documents may relate to each other in cycles: no relationship is filled in three times along one path.
    return (withRelationships === true || isNamed) && above.filter((one) => one === field).length < 2
  }
  const named = builders?.project && Object.keys(builders.project).filter((name) => builders.project?.[name])
  const access: ReadAccess = { fields: to.fields === 'full' ? 'full' : 'public', visibility: to.view.visibility }
  const project = to.fields === 'minimal' ? MINIMAL_ANSWER : named ? onlyNames(named) : null
  const presentation = { type: to.type, access, project }
  const fields = to.fields === 'minimal' ? minimalFields(ctx, to) : shownFields(ctx, presentation)
  const answers = await presentFields(ctx, documents, presentation, { ...gathered, fields, isOpened })
  return new Map(answers.map((answer) => [String(answer.aposDocId), answer]))
}

/** Images and files are pieces whose `_url` is their file's (§4.3). */
function isMediaType({ namespace }: Site, { name }: Type): boolean {
  return name === `${namespace}/image` || name === `${namespace}/file`
}

function minimalFields(ctx: Context, to: RelatedAccess): Field[] {
  return to.type.fields.list.filter(({ name }) => seesRelatedField(ctx, to, name))
}

/** What the public projection names; the URL of a piece contains that of its index page. */
function isPublic({ publicProjection }: Type, name: string): boolean {
  const isOfIndex = name === '_parentUrl' || name === '_parentSlug'
  return isNamed(publicProjection, name) || (isOfIndex && isNamed(publicProjection, '_url'))
}

/** Applies the public projection and the request's own to all names that are not fields of the type. */
function narrowed(answer: JsonObject, access: ReadAccess, type: Type, project: Projection | null): JsonObject {
  if (access.fields === 'full' && project === null) return answer
  const isPublicName = (name: string) => access.fields === 'full' || project === MINIMAL_ANSWER || isPublic(type, name)
  for (const name of Object.keys(answer)) {
    if (ALWAYS.has(name) || ANNOTATIONS.has(name)) continue
    if (!isPublicName(name) || !projectsName(project, name)) delete answer[name]
  }
  return answer
}
