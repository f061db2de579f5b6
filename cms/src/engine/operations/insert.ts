import { invalid, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { copyJson, isObject, type Json, type JsonObject, own } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Fields } from '../../model/field-type/field-type.ts'
import { type DocId, type Document, DocumentId, type Locale, type Mode } from '../../model/terms/document.ts'
import { storedValue, walk } from '../../model/values/walk.ts'
import type { WriteContext } from '../context.ts'
import { resolveId } from '../locate.ts'
import { cropProblems } from '../media/requested-crops.ts'
import { assertMay, readAccess } from '../permissions.ts'
import { type Change, changeOf } from '../save/change.ts'
import { writtenModes } from '../save/copies.ts'
import { saveMany } from '../save/save.ts'
import { withWholeSlug } from '../save/whole-slug.ts'
import { clean, type Input } from '../values/clean.ts'
import { takenOver, visibleTo, withoutUnseenRelationships, writableBy } from '../values/field-access.ts'
import { noteSchedule } from './schedule.ts'

/** Where a new document goes. */
export interface InsertTarget {
  readonly type: Type
  readonly locale: Locale
  readonly mode: Mode
  /** For pages without a slug of their own. */
  readonly parentSlug?: string
  /** A given slug that is taken gets a number, like one made from a title. */
  readonly yieldsSlug?: boolean
  /** Made at start: required fields may be empty until somebody saves the document. */
  readonly isMadeAtStart?: boolean
}

/** What is sent to make a document. */
export interface NewDocument {
  readonly docId: DocId
  readonly body: { readonly [name: string]: unknown }
}

/**
 * Makes a new document from an outside body (§4.1 POST), with the fields of another one as defaults when the body names
 * it in `_copyingId`. Returns the requested copy.
 */
export async function insert(
  ctx: WriteContext,
  target: InsertTarget,
  body: NewDocument['body'],
  docId: DocId = newId(),
): Promise<Document> {
  const [document] = await insertMany(ctx, target, [{ docId, body }])
  if (document === undefined) throw new Error('A new document was not made.')
  return document
}

/**
 * The same for some hundred documents of one type, in a number of statements that does not grow with them, unless a
 * `beforeSave` looks at each or they name others in `_copyingId`. What refuses one of them refuses all: then each has
 * to be tried by itself.
 */
export async function insertMany(
  ctx: WriteContext,
  target: InsertTarget,
  documents: readonly NewDocument[],
): Promise<Document[]> {
  const { type, mode, isMadeAtStart = false } = target
  assertMay(ctx.actor, mode === 'draft' ? 'createDraft' : 'createPublished', type)
  const copied: (CopiedValues | null)[] = []
  for (const { body } of documents) copied.push(await copiedValues(ctx, type, own(body, '_copyingId')))
  const inputs = documents.map(({ body }, index): Input => {
    const before = copied[index]?.values ?? null
    // A copy: what is not in the body is sent unchanged, and not the stored values themselves.
    return {
      values: { ...copyJson(before ?? {}), ...body },
      before,
      touched: null,
      mustBeComplete: !isMadeAtStart,
      isApart: true,
      formerFields: copied[index]?.formerFields,
    }
  })
  const read = await clean(ctx, type, inputs, cropProblems)
  const changes = documents.map((one, index) => {
    const from = copied[index]
    const values = read[index] ?? {}
    return insertion(ctx, target, one, { read: from ? withNewIds(type, values, from.values) : values, copied: from })
  })
  const saved = await saveMany(ctx, changes)
  for (const { docId, body } of documents) await noteSchedule(ctx, type, { docId, locale: target.locale }, body)
  return saved.map((after) => {
    const document = after[mode] ?? after.draft
    if (document === null) throw new Error('A new document has no copy.')
    return document
  })
}

function insertion(
  ctx: WriteContext,
  { type, locale, mode, parentSlug, yieldsSlug = false }: InsertTarget,
  { docId, body }: NewDocument,
  { read, copied }: { readonly read: JsonObject; readonly copied: CopiedValues | null | undefined },
): Change {
  const isGiven = read.slug !== ''
  const archived = read.archived === true
  if (archived) assertMay(ctx.actor, 'archive', type)
  const origin = copied ? { copyOfId: copied.id } : {}
  const fields = withWholeSlug(type, { ...read, archived, ...origin }, parentSlug)
  const modes = writtenModes(ctx, type, mode)
  return changeOf(
    ctx,
    {
      reason: 'inserted',
      type,
      docId,
      locale,
      before: { draft: null, published: null },
      fields: Object.fromEntries(modes.map((one) => [one, fields])),
      madeSlug: !isGiven || yieldsSlug,
      copyOfId: copied?.id ?? null,
    },
    body,
  )
}

/** The fields of another document, and its id as it was sent. */
interface CopiedValues {
  readonly id: string
  readonly values: JsonObject
  /** The fields of its type, where that is another one. */
  readonly formerFields: Fields | undefined
}

async function copiedValues(ctx: WriteContext, type: Type, copyingId: unknown): Promise<CopiedValues | null> {
  if (copyingId === undefined || copyingId === null || copyingId === '') return null
  if (typeof copyingId !== 'string') throw invalid('_copyingId must be the _id of a document to copy.')
  const given = DocumentId.parse(copyingId)
  const id = given && resolveId(ctx, type, given)
  const copies = id && (await ctx.tx.documents.lockCopies(id.docId, id.locale))
  const source = copies && (copies[id.mode] ?? copies.draft ?? copies.published)
  const from = source && copyableType(ctx, type, source.type)
  if (!from) throw notFound('There is no such document to copy.')
  const { slug, archived, copyOfId, ...seen } = visibleTo(ctx.actor, from.fields, source.fields)
  const fields = writableBy(
    ctx.actor,
    type.fields,
    takenOver({ actor: ctx.actor, from: from.fields, to: type.fields }, seen),
  )
  return {
    id: copyingId,
    values: withoutUnseenRelationships(ctx, type.fields, fields),
    formerFields: from === type ? undefined : from.fields,
  }
}

/** The type of a document to copy: the new one's own; for pages any that the caller sees (§4.2). Null for others. */
function copyableType(ctx: WriteContext, type: Type, name: string): Type | null {
  if (name === type.name) return type
  const from = ctx.site.types.get(name)
  if (type.family !== 'page' || from?.family !== 'page') return null
  return readAccess(ctx.actor, from) && from
}

/**
 * The areas, widgets and items that a copy has from its original get new ids. Before, they are known by those that they
 * have there: a body may send them back.
 */
function withNewIds(type: Type, fields: JsonObject, original: JsonObject): JsonObject {
  const taken = new Set([...partsWithId(type, original)].map(({ _id }) => _id))
  for (const part of partsWithId(type, fields)) if (taken.has(part._id)) part._id = newId()
  return fields
}

/** Gives each part before those inside of it. */
function* partsWithId({ fields }: Type, values: JsonObject): Generator<JsonObject & { _id: Json }> {
  for (const { field, values: holder } of walk(fields, values)) {
    if (!field.type.children) continue
    const value = storedValue(field, holder)
    const holders = value === null ? [] : [...field.type.children(value, field.options)].map((child) => child.values)
    for (const part of new Set([value, ...holders])) if (hasId(part)) yield part
  }
}

function hasId(part: Json): part is JsonObject & { _id: Json } {
  return isObject(part) && Object.hasOwn(part, '_id')
}
