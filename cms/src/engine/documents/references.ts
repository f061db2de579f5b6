import type { Problem } from '../../base/errors.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import type { DocId } from '../../model/document.ts'
import type { Reference } from '../../model/fields/reference.ts'
import type { NamedReference } from '../../model/read-result.ts'
import type { Type } from '../../model/types.ts'
import { dropReferences, storedValue, walk } from '../../model/walk.ts'
import type { UsedAttachment } from '../../store/store.ts'
import type { Context, WriteContext } from '../context.ts'
import { mayTake } from '../media/attachment-uses.ts'
import { readAccess, type Viewer } from '../permissions.ts'
import { type CopyScope, relatedAccess, seesAllRelated } from '../related.ts'

/** Fields that were just read, and the references that their body named and that must exist. */
export interface ReadValues {
  readonly values: JsonObject
  readonly mustExist: readonly NamedReference[]
  /** Stored references that the body leaves out. They stay, unless the caller was shown the document, in `shownIn`. */
  readonly staysUnseen?: readonly NamedReference[]
  /** Where the caller read what the body sends back; without it, nothing that the body leaves out stays. */
  readonly shownIn?: CopyScope
  /** What is stored now; null for a new document. */
  readonly before: JsonObject | null
  /** Written by the service or a site's hook: every document may be named. */
  readonly trusted?: boolean
  /** Of a version: see `Input`. */
  readonly restores?: boolean
}

/**
 * Looks up what the values of all copies point to (§2.15): reports named documents and attachments that do not exist or
 * are of another type, and drops the ids of deleted documents, and new ones of other types or of documents that the
 * caller may not see. At most two statements, and one for each related type of which a body leaves out documents that
 * are stored.
 */
export async function checkReferences(
  ctx: WriteContext,
  type: Type,
  copies: readonly ReadValues[],
): Promise<Problem[]> {
  const all = copies.flatMap((copy) => referencesIn(type, copy.values))
  const documents = idsOf(all, 'document')
  const named = copies.flatMap((copy) => copy.mustExist.map(({ reference }) => reference))
  const attachments = idsOf(named, 'attachment')
  const types = documents.length > 0 ? await typesOf(ctx, documents) : new Map<string, string>()
  await ctx.tx.attachments.lock(attachments)
  const files = await ctx.tx.read.attachments.byIds(attachments)
  const exists = (reference: Reference) => {
    if (reference.kind === 'document') return types.get(reference.id) === reference.type
    const used = files.get(reference.id)
    if (used === undefined) return ctx.expected?.attachments.has(reference.id) === true
    return mayTake(ctx, used)
  }
  const wrongKind = copies.flatMap((copy) => wrongFiles(copy, files, exists))
  const problems = copies.flatMap((copy) => missingIn(ctx, type, copy, exists))
  for (const copy of copies) {
    dropUnusable(ctx, type, copy, { types, leftOut: await shownAmong(ctx, copy) })
    nameFiles(type, copy.values, files)
  }
  return [...problems, ...wrongKind]
}

/** Drops the ids of deleted documents from copies that are to be saved, in place (§3): one statement. */
export async function dropDeleted(
  ctx: WriteContext,
  copies: readonly { readonly type: Type; readonly values: JsonObject }[],
): Promise<void> {
  const documents = idsOf(
    copies.flatMap(({ type, values }) => referencesIn(type, values)),
    'document',
  )
  if (documents.length === 0) return
  const types = await typesOf(ctx, documents)
  for (const { type, values } of copies) {
    dropReferences(type.fields, values, ({ kind, id }) => kind === 'document' && !types.has(id))
  }
}

/** The types of these documents, of those that are expected, too. */
async function typesOf(ctx: WriteContext, ids: readonly DocId[]): Promise<ReadonlyMap<DocId, string>> {
  const types = await ctx.tx.read.documents.types(ids)
  for (const id of ctx.expected === undefined ? [] : ids) {
    const type = ctx.expected?.documents.get(id)
    if (type !== undefined && !types.has(id)) types.set(id, type)
  }
  return types
}

/**
 * Looks up the documents that values name, for values that are not saved: reports those that do not exist, are of
 * another type, or are not for the caller to see in this locale and mode (§2.15). One statement for each type.
 */
export async function missingDocuments(ctx: Context, mustExist: ReadValues['mustExist']): Promise<Problem[]> {
  const named = mustExist.flatMap(({ reference }) => (reference.kind === 'document' ? [reference] : []))
  const there = new Set<string>()
  for (const type of new Set(named.map((reference) => reference.type))) {
    const ids = idsOf(
      named.filter((reference) => reference.type === type),
      'document',
    )
    for (const id of await visibleIds(ctx, type, ids)) there.add(`${type} ${id}`)
  }
  return problemsOf(ctx, mustExist, (one) => one.kind === 'document' && there.has(`${one.type} ${one.id}`))
}

/** Those of the ids that are documents of a type which the caller may know of. */
async function visibleIds(ctx: Context, typeName: string, ids: readonly string[]): Promise<readonly string[]> {
  const access = relatedAccess(ctx, typeName, ctx)
  if (access === null) return []
  if (!seesAllRelated(ctx, access)) return (await ctx.store.documents.many(access.view, ids)).map(({ id }) => id.docId)
  const types = await ctx.store.documents.types(ids)
  return ids.filter((id) => types.get(id) === typeName)
}

function missingIn(
  ctx: WriteContext,
  type: Type,
  { mustExist, before }: ReadValues,
  exists: (reference: Reference) => boolean,
): Problem[] {
  if (mustExist.length === 0) return []
  const known = storedIn(type, before)
  const named = mustExist.filter(({ reference }) => !known.has(keyOf(reference)))
  return problemsOf(ctx, named, exists)
}

function problemsOf(
  ctx: Viewer,
  mustExist: ReadValues['mustExist'],
  exists: (reference: Reference) => boolean,
): Problem[] {
  return mustExist
    .filter(({ reference }) => !(exists(reference) && mayPointTo(ctx, reference)))
    .map(({ path, reference }) => ({ path, name: 'invalid', message: missingMessage(reference) }))
}

/** Attachments that exist but that these fields do not accept: another group, or another extension. */
function wrongFiles(
  { mustExist }: ReadValues,
  files: ReadonlyMap<string, UsedAttachment>,
  exists: (reference: Reference) => boolean,
): Problem[] {
  return mustExist.flatMap(({ path, reference }) => {
    const file = reference.kind === 'attachment' && exists(reference) ? files.get(reference.id)?.attachment : undefined
    if (reference.kind !== 'attachment' || file === undefined) return []
    const { fileGroup, accepts } = reference
    if (fileGroup !== undefined && file.group !== fileGroup) {
      return [{ path, name: 'invalid', message: `This takes a file of the group ${fileGroup}, not ${file.extension}.` }]
    }
    if (accepts === undefined || accepts.includes(file.extension)) return []
    return [{ path, name: 'invalid', message: `This takes ${accepts.join(', ')} files, not ${file.extension}.` }]
  })
}

/** File properties in a value come from the upload, whatever the body says. */
function nameFiles(type: Type, values: JsonObject, files: ReadonlyMap<string, UsedAttachment>): void {
  if (files.size === 0) return
  for (const { field, values: holder } of walk(type.fields, values)) {
    const value = field.type.file ? storedValue(field, holder) : null
    if (!isObject(value)) continue
    const file = files.get(String(value._id))?.attachment
    if (file !== undefined) Object.assign(value, { name: file.name, extension: file.extension })
  }
}

/** A caller who may not see a type must not learn which documents exist by pointing to them. */
function mayPointTo(ctx: Viewer, reference: Reference): boolean {
  if (reference.kind === 'attachment') return true
  const target = ctx.site.types.get(reference.type)
  return target !== undefined && readAccess(ctx.actor, target) !== null
}

function missingMessage(reference: Reference): string {
  return reference.kind === 'attachment'
    ? `There is no attachment ${reference.id}. Upload the file first.`
    : `There is no ${reference.type} with the id ${reference.id}.`
}

/** What is stored in a document stays, in whatever place of it that takes documents of the same type. */
function storedIn(type: Type, before: JsonObject | null): ReadonlySet<string> {
  return new Set(before ? referencesIn(type, before).map(keyOf) : [])
}

function keyOf(reference: Reference): string {
  return reference.kind === 'document' ? `${reference.type} ${reference.id}` : reference.id
}

function referencesIn(type: Type, values: JsonObject): Reference[] {
  const found: Reference[] = []
  for (const { field, values: holder } of walk(type.fields, values)) {
    if (!field.type.references) continue
    const value = storedValue(field, holder)
    if (value !== null) for (const reference of field.type.references(value, field.options)) found.push(reference)
  }
  return found
}

function idsOf(references: readonly Reference[], kind: Reference['kind']): string[] {
  return [...new Set(references.filter((reference) => reference.kind === kind).map((reference) => reference.id))]
}

/** The references, by path and id, that a body leaves out although the caller was shown the document. */
async function shownAmong(ctx: WriteContext, { staysUnseen = [], shownIn }: ReadValues): Promise<ReadonlySet<string>> {
  const shown = new Set<string>()
  const documents = staysUnseen.flatMap(({ path, reference }) =>
    reference.kind === 'document' ? [{ ...reference, key: `${path} ${reference.id}` }] : [],
  )
  for (const typeName of new Set(documents.map(({ type }) => type))) {
    const leftOut = documents.filter(({ type }) => type === typeName)
    const there = new Set(await shownOf(ctx, shownIn, typeName, idsOf(leftOut, 'document')))
    for (const { id, key } of leftOut) if (there.has(id)) shown.add(key)
  }
  return shown
}

async function shownOf(
  ctx: WriteContext,
  shownIn: CopyScope | undefined,
  typeName: string,
  ids: readonly DocId[],
): Promise<readonly DocId[]> {
  if (shownIn === undefined) return ids
  const access = relatedAccess(ctx, typeName, shownIn)
  return access === null ? [] : (await ctx.tx.read.documents.many(access.view, ids)).map(({ id }) => id.docId)
}

interface Known {
  /** By the ids of documents. */
  readonly types: ReadonlyMap<string, string>
  readonly leftOut: ReadonlySet<string>
}

/** Stored ids stay as long as their documents exist: a renamed type may get its name back. */
function dropUnusable(
  ctx: WriteContext,
  type: Type,
  { values, before, trusted = false, restores = false }: ReadValues,
  { types, leftOut }: Known,
): void {
  const stored = storedIn(type, before)
  const isUsable = (reference: Reference) => {
    if (reference.kind === 'attachment') return true
    const type = types.get(reference.id)
    if (stored.has(keyOf(reference)) || (restores && type !== undefined && !ctx.site.types.has(type)))
      return type !== undefined
    return type === reference.type && (trusted || mayPointTo(ctx, reference))
  }
  dropReferences(type.fields, values, (one, path) => !isUsable(one) || leftOut.has(`${path} ${one.id}`))
}
