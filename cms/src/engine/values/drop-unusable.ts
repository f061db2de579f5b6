import type { Problem } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import { isTooFew, tooFewMessage } from '../../model/field-type/outside.ts'
import type { DocumentReference, Reference } from '../../model/field-type/value-terms.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import type { NamedReference } from '../../model/values/read-result.ts'
import { dropReferences, storedValue, walk } from '../../model/values/walk.ts'
import type { Context, WriteContext } from '../context.ts'
import { type FoundRelated, readRelated } from '../related-documents.ts'
import { type CopyScope, relatedAccess, viewsOf } from '../view.ts'
import { missingReferences, StoredReferences } from './references.ts'
import type { Handling } from './value-kinds.ts'

/** Fields that were just read, and the references that their body named and that must exist. */
interface ReadValues extends Handling {
  readonly values: JsonObject
  readonly mustExist: readonly NamedReference[]
  /** Stored references that the body leaves out. They stay, unless the caller was shown the document, in `shownIn`. */
  readonly staysUnseen?: readonly NamedReference[]
  /** Where the caller read what the body sends back; without it, nothing that the body leaves out stays. */
  readonly shownIn?: CopyScope
  /** The stored values; null for a new document. */
  readonly before: JsonObject | null
  /** The values of the other copy: see `Input`. */
  readonly named?: JsonObject | undefined
}

/**
 * Drops ids from values, in place: those of documents that do not exist, new ones of other types or of documents that the
 * caller may not see, and stored ones that the body leaves out although the caller was shown them. Stored ids
 * stay as long as their documents exist: a renamed type may get its name back. Reports relationships that then have
 * fewer than `min`; not those that only lose stored documents which were deleted, or that a version, the service or a hook
 * gave.
 */
export async function dropUnusable(
  ctx: WriteContext,
  type: Type,
  copy: ReadValues,
  types: ReadonlyMap<string, string>,
): Promise<Problem[]> {
  const { values, before, documents } = copy
  const leftOut = await shownAmong(ctx, copy)
  const stored = new StoredReferences(type, before)
  const views = viewsOf(ctx)
  const isUsable = (reference: Reference) => {
    if (reference.kind === 'attachment') return true
    const type = types.get(reference.id)
    const isGone = documents === 'seen or gone' && type !== undefined && !ctx.site.types.has(type)
    if (stored.has(reference, types) || isGone) return type !== undefined
    return documents === 'any' ? reference.types.includes(type ?? '') : views.mayPointTo(reference, type)
  }
  const shortened = new Set<string>()
  const deleted = new Set<DocId>()
  dropReferences(type.fields, values, (one, path) => {
    const isLeftOut = leftOut.has(`${path} ${one.id}`)
    const isDropped = isLeftOut || !isUsable(one)
    if (isLeftOut || (isDropped && !stored.has(one, types))) shortened.add(path)
    if (!types.has(one.id)) deleted.add(one.id)
    return isDropped
  })
  if (!copy.isComplete || shortened.size === 0) return []
  return tooShort(type, copy, { shortened, deleted })
}

/** Lists the shortened relationships that are too short now. Stored ids of deleted documents do not count. */
function tooShort(
  type: Type,
  { values, before, named }: ReadValues,
  { shortened, deleted }: { readonly shortened: ReadonlySet<string>; readonly deleted: ReadonlySet<DocId> },
): Problem[] {
  const stored = [before, named].map((copy) => (copy ? relationshipsIn(type, copy) : new Map<string, Relationship>()))
  return [...relationshipsIn(type, values)].flatMap(([path, { ids, min }]): Problem[] => {
    if (!shortened.has(path)) return []
    const counts = stored.map((copy) => copy.get(path)?.ids.filter((id) => !deleted.has(id)).length ?? 0)
    return isTooFew(ids.length, min, counts) ? [{ path, name: 'min', message: tooFewMessage(min) }] : []
  })
}

interface Relationship {
  readonly ids: readonly DocId[]
  readonly min: number
}

/** Collects the relationships by the path of their fields. */
function relationshipsIn(type: Type, values: JsonObject): ReadonlyMap<string, Relationship> {
  const found = new Map<string, Relationship>()
  for (const { field, values: holder, path } of walk(type.fields, values)) {
    if (field.type.relation !== 'forward') continue
    // `as`: the options of a relationship, and what is stored of one (relationship.ts).
    const { min = 0 } = field.options as { readonly min?: number }
    const value = storedValue(field, holder) as { readonly ids: readonly DocId[] } | null
    found.set(path, { ids: value?.ids ?? [], min })
  }
  return found
}

/** The references, by path and id, that a body leaves out although the caller was shown the document. */
async function shownAmong(ctx: WriteContext, { staysUnseen = [], shownIn }: ReadValues): Promise<ReadonlySet<string>> {
  const shown = new Set<string>()
  const documents = staysUnseen.flatMap(({ path, reference }) =>
    reference.kind === 'document' ? [{ ...reference, key: `${path} ${reference.id}` }] : [],
  )
  for (const [typeName, leftOut] of byType(documents)) {
    const ids = new Set(leftOut.map(({ id }) => id))
    const shownIds = new Set(await shownOf(ctx, shownIn, typeName, [...ids]))
    for (const { id, key } of leftOut) if (shownIds.has(id)) shown.add(key)
  }
  return shown
}

/** References by each type that they take. */
function byType<One extends DocumentReference>(references: readonly One[]): ReadonlyMap<string, One[]> {
  const found = new Map<string, One[]>()
  for (const one of references) for (const type of one.types) found.set(type, [...(found.get(type) ?? []), one])
  return found
}

async function shownOf(
  ctx: WriteContext,
  shownIn: CopyScope | undefined,
  typeName: string,
  ids: readonly DocId[],
): Promise<readonly DocId[]> {
  if (shownIn === undefined) return ids
  const access = relatedAccess(ctx, typeName, shownIn)
  return access === null ? [] : idsIn(await readRelated({ viewer: ctx, reader: ctx.tx.read.documents }, access, ids))
}

/**
 * Looks up the documents that values name, for values that are not saved: reports those that do not exist, are of
 * another type, or are not for the caller to see in this locale and mode (§2.15). One statement for each type.
 */
export async function missingDocuments(ctx: Context, mustExist: readonly NamedReference[]): Promise<Problem[]> {
  const named = mustExist.flatMap(({ reference }) => (reference.kind === 'document' ? [reference] : []))
  const visible = new Set<string>()
  for (const [type, some] of byType(named)) {
    const ids = new Set(some.map(({ id }) => id))
    for (const id of await visibleIds(ctx, type, [...ids])) visible.add(`${type} ${id}`)
  }
  const views = viewsOf(ctx)
  const isThere = (one: Reference) =>
    one.kind === 'document' && one.types.some((type) => visible.has(`${type} ${one.id}`) && views.mayPointTo(one, type))
  return missingReferences(views, mustExist, isThere)
}

function idsIn(found: readonly FoundRelated[]): DocId[] {
  return found.flatMap(({ documents }) => documents.map(({ id }) => id.docId))
}

/** Returns the ids of documents of this type that the caller may know of. */
async function visibleIds(ctx: Context, typeName: string, ids: readonly string[]): Promise<readonly string[]> {
  const access = relatedAccess(ctx, typeName, ctx)
  if (access === null) return []
  if (!access.shown.knowsAll) return idsIn(await readRelated({ viewer: ctx, reader: ctx.store.documents }, access, ids))
  const types = await ctx.store.documents.types(ids)
  return ids.filter((id) => types.get(id) === typeName)
}
