import { invalidValue, type Problem } from '../../base/errors.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Reference } from '../../model/field-type/value-terms.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import type { NamedReference, ReadResult } from '../../model/values/read-result.ts'
import { dropReferences, storedValue, walk } from '../../model/values/walk.ts'
import type { UsedAttachment } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'
import { mayTake, viewsOf } from '../view.ts'
import { idsOf, missingReferences, referencesIn, StoredReferences } from './references.ts'

/** Fields that were just read, and what is stored now; null for a new document. */
interface NamingValues extends Pick<ReadResult, 'values' | 'mustExist'> {
  readonly before: JsonObject | null
}

/** The references of values. */
interface CheckedReferences {
  /** The types of all documents that are there. */
  readonly types: ReadonlyMap<DocId, string>
  /** The problems with the references of each copy. */
  readonly problems: readonly (readonly Problem[])[]
}

/**
 * Looks up what the values of all copies point to (§2.15), and reports named documents and attachments that do not exist
 * or are of another type. At most two statements.
 */
export async function checkReferences(
  ctx: WriteContext,
  type: Type,
  copies: readonly NamingValues[],
): Promise<CheckedReferences> {
  const all = copies.flatMap((copy) => referencesIn(type, copy.values))
  const documents = idsOf(all, 'document')
  const named = copies.flatMap((copy) => copy.mustExist.map(({ reference }) => reference))
  const attachments = idsOf(named, 'attachment')
  const types = documents.length > 0 ? await typesOf(ctx, documents) : new Map<string, string>()
  const files = attachments.length > 0 ? await lockedFiles(ctx, attachments) : new Map<string, UsedAttachment>()
  const views = viewsOf(ctx)
  const exists = (reference: Reference) => {
    if (reference.kind === 'document') return views.mayPointTo(reference, types.get(reference.id))
    const used = files.get(reference.id)
    if (used === undefined) return ctx.expected?.attachments.has(reference.id) === true
    return mayTake(ctx, used)
  }
  for (const { values } of copies) nameFiles(type, values, files)
  const missing = (copy: NamingValues) => missingReferences(views, newIn(type, copy, types), exists)
  const problems = copies.map((copy) => [...missing(copy), ...wrongFiles(copy, files, exists)])
  return { types, problems }
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

async function lockedFiles({ tx }: WriteContext, ids: readonly string[]): Promise<ReadonlyMap<string, UsedAttachment>> {
  await tx.attachments.lock(ids)
  return tx.read.attachments.byIds(ids)
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

/** The named references that are not stored. */
function newIn(
  type: Type,
  { mustExist, before }: NamingValues,
  types: ReadonlyMap<DocId, string>,
): readonly NamedReference[] {
  if (mustExist.length === 0) return []
  const known = new StoredReferences(type, before)
  return mustExist.filter(({ reference }) => !known.has(reference, types))
}

/** Attachments that exist but that these fields do not accept: another group, or another extension. */
function wrongFiles(
  { mustExist }: NamingValues,
  files: ReadonlyMap<string, UsedAttachment>,
  exists: (reference: Reference) => boolean,
): Problem[] {
  return mustExist.flatMap(({ path, reference }) => {
    const file = reference.kind === 'attachment' && exists(reference) ? files.get(reference.id)?.attachment : undefined
    if (reference.kind !== 'attachment' || file === undefined) return []
    const { fileGroup, accepts } = reference
    if (fileGroup !== undefined && file.group !== fileGroup) {
      return [invalidValue(path, `This takes a file of the group ${fileGroup}, not ${file.extension}.`)]
    }
    if (accepts === undefined || accepts.includes(file.extension)) return []
    return [invalidValue(path, `This takes ${accepts.join(', ')} files, not ${file.extension}.`)]
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
