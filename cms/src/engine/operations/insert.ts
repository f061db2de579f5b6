import { invalid, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { copyJson, isObject, type Json, type JsonObject, own, type UnknownObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Fields } from '../../model/field-type/field-type.ts'
import type { Document, OpenCopies } from '../../model/terms/document.ts'
import { type DocId, DocumentId, type Locale, type Mode } from '../../model/terms/document-id.ts'
import { storedValue, walk } from '../../model/values/walk.ts'
import type { WriteContext } from '../context.ts'
import { resolveId } from '../locate.ts'
import { assertMay } from '../permissions.ts'
import { type Change, isAutosave, mayBeIncomplete, NO_COPIES } from '../save/change.ts'
import { writtenModes } from '../save/copies.ts'
import { assertPublishable } from '../save/draft-problems.ts'
import { assertNotRestoring } from '../save/restored-version.ts'
import { saveMany } from '../save/save.ts'
import { withWholeSlug } from '../save/slugs.ts'
import { cleanMany, type Input } from '../values/clean.ts'
import { takenOver, visibleTo, writableBy } from '../values/field-access.ts'
import { unseenDocuments } from '../values/unseen-documents.ts'
import type { ValueKind } from '../values/value-kinds.ts'
import { viewsOf } from '../view.ts'
import { storeSchedule } from './schedule.ts'

/** Where a new document goes. */
export interface InsertTarget {
  readonly type: Type
  readonly locale: Locale
  readonly mode: Mode
  /** For pages without a slug of their own. */
  readonly parentSlug?: string
  /** A given slug that is taken gets a number, like one made from a title. */
  readonly yieldsSlug?: boolean
  /** `trusted` for what is made at start: required fields may be empty until somebody saves the document. */
  readonly kind?: Extract<ValueKind, 'asked' | 'trusted'>
}

/** The id and body of a new document. */
export interface NewDocument {
  readonly docId: DocId
  readonly body: UnknownObject
}

/**
 * Makes a new document from a body (§4.1 POST), in a transaction: `write(ctx, (tx) => insert(tx, target, body))`.
 * Returns the copy of the requested mode. Throws `invalid` with all wrong fields, `conflict` for a given slug that is
 * taken, `forbidden` where the actor may not.
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
 * Makes up to some hundred documents of one type (§4.1 POST), all or none, in a constant number of statements. Returns
 * them in their order, and throws what `insert` throws.
 */
export async function insertMany(
  ctx: WriteContext,
  target: InsertTarget,
  documents: readonly NewDocument[],
): Promise<Document[]> {
  const { type, locale, mode, kind = 'asked' } = target
  assertMay(ctx.actor, mode === 'draft' ? 'createDraft' : 'createPublished', type)
  assertNotRestoring(documents.map(({ body }) => body))
  const modes = writtenModes(ctx, type, mode)
  const copied: (CopiedValues | null)[] = []
  for (const { body } of documents) copied.push(await copiedValues(ctx, type, own(body, '_copyingId')))
  const inputs = documents.map(({ body }, index): Input => {
    const before = copied[index]?.values ?? null
    // A copy: what is not in the body is sent unchanged, and not the stored values themselves.
    const { formerFields } = copied[index] ?? {}
    const values = { ...copyJson(before ?? {}), ...body }
    return { values, before, touched: null, formerFields, isUnfinished: mayBeIncomplete(body, modes) }
  })
  const read = await cleanMany(ctx, { type, kind, inputs })
  // A copied document may be incomplete.
  for (const [index, one] of copied.entries()) {
    const isPublished = modes.includes('published') && one !== null
    if (isPublished) await assertPublishable(ctx, { type, values: read[index] ?? {}, before: one.copies })
  }
  const changes = documents.map((one, index) => {
    return plan(ctx, target, { ...one, fields: read[index] ?? {}, copied: copied[index] ?? null })
  })
  const saved = await saveMany(ctx, changes)
  for (const { docId, body } of documents) await storeSchedule(ctx, { type, docId, locale }, body)
  return saved.map((after) => {
    const document = after[mode] ?? after.draft
    if (document === null) throw new Error('A new document has no copy.')
    return document
  })
}

/** Clean fields of a new document, and what it was copied from. */
interface ReadDocument extends NewDocument {
  readonly fields: JsonObject
  readonly copied: CopiedValues | null
}

function plan(
  ctx: WriteContext,
  { type, locale, mode, parentSlug, yieldsSlug = false }: InsertTarget,
  { docId, body, fields: read, copied }: ReadDocument,
): Change {
  const isGiven = read.slug !== ''
  const archived = read.archived === true
  if (archived) assertMay(ctx.actor, 'archive', type)
  const origin = copied ? { copyOfId: copied.id } : {}
  const own = copied ? withNewIds(type, read, copied.values) : read
  const fields = withWholeSlug(type, { ...own, archived, ...origin }, parentSlug)
  const modes = writtenModes(ctx, type, mode)
  return {
    reason: 'inserted',
    type,
    docId,
    locale,
    before: NO_COPIES,
    fields: Object.fromEntries(modes.map((one) => [one, fields])),
    takenSlug: isGiven && !yieldsSlug ? 'refuse' : 'number',
    history: { mode: modes.includes('published') ? 'published' : 'draft', isAutosave: isAutosave(body) },
  }
}

/** The fields of another document, and its id as it was sent. */
interface CopiedValues {
  readonly id: string
  readonly values: JsonObject
  /** The fields of its type, where that is another one. */
  readonly formerFields: Fields | undefined
  readonly copies: OpenCopies
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
  const views = viewsOf(ctx)
  const { slug, archived, copyOfId, ...seen } = visibleTo(views, from.fields, source.fields)
  const fields = writableBy(views, type.fields, takenOver(views, { from: from.fields, to: type.fields }, seen))
  const unseen = await unseenDocuments(ctx, ctx.tx.read.documents, [{ fields: type.fields, values: fields }])
  return {
    id: copyingId,
    values: unseen.without(type.fields, fields),
    formerFields: from === type ? undefined : from.fields,
    copies,
  }
}

/** The type of a document to copy: the new one's own; for pages any that the caller sees (§4.2). Null for others. */
function copyableType(ctx: WriteContext, type: Type, name: string): Type | null {
  if (name === type.name) return type
  const from = viewsOf(ctx).of(name)?.type
  return type.family === 'page' && from?.family === 'page' ? from : null
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
    const holders = value === null ? [] : field.type.children(value, field.options).map((child) => child.values)
    for (const part of new Set([value, ...holders])) if (hasId(part)) yield part
  }
}

function hasId(part: Json): part is JsonObject & { _id: Json } {
  return isObject(part) && Object.hasOwn(part, '_id')
}
