import type { Problem } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import { isTooFew, tooFewMessage } from '../../model/field-type/outside.ts'
import type { Reference } from '../../model/field-type/reference.ts'
import type { DocId } from '../../model/terms/document.ts'
import type { NamedReference } from '../../model/values/read-result.ts'
import { dropReferences, storedValue, walk } from '../../model/values/walk.ts'
import type { WriteContext } from '../context.ts'
import { mayPointTo } from '../permissions.ts'
import { type CopyScope, relatedAccess } from '../related.ts'
import { idsOf, keyOf, storedIn } from './references.ts'

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
  /** What the other copy has: see `Input`. */
  readonly named?: JsonObject | undefined
  /** Written by the service or a site's hook: every document may be named. */
  readonly trusted?: boolean
  /** Of a version: see `Input`. */
  readonly restores?: boolean
  readonly keepsUnwritable?: boolean
}

/**
 * Drops ids from values, in place: those of documents that do not exist, new ones of other types or of documents that the
 * caller may not see, and stored ones that the body leaves out although the caller was shown them. Stored ids
 * stay as long as their documents exist: a renamed type may get its name back. Reports relationships that thereby have
 * fewer than `min`; not those that only lose stored documents which were deleted, or that a version, the service or a hook
 * gave.
 */
export async function dropUnusable(
  ctx: WriteContext,
  type: Type,
  copy: ReadValues,
  types: ReadonlyMap<string, string>,
): Promise<Problem[]> {
  const { values, before, trusted = false, restores = false } = copy
  const leftOut = await shownAmong(ctx, copy)
  const stored = storedIn(type, before)
  const isUsable = (reference: Reference) => {
    if (reference.kind === 'attachment') return true
    const type = types.get(reference.id)
    if (stored.has(keyOf(reference)) || (restores && type !== undefined && !ctx.site.types.has(type)))
      return type !== undefined
    return type === reference.type && (trusted || mayPointTo(ctx, reference))
  }
  const shortened = new Set<string>()
  const deleted = new Set<DocId>()
  dropReferences(type.fields, values, (one, path) => {
    const isLeftOut = leftOut.has(`${path} ${one.id}`)
    const isDropped = isLeftOut || !isUsable(one)
    if (isLeftOut || (isDropped && !stored.has(keyOf(one)))) shortened.add(path)
    if (!types.has(one.id)) deleted.add(one.id)
    return isDropped
  })
  if (trusted || copy.keepsUnwritable || shortened.size === 0) return []
  return tooShort(type, copy, { shortened, deleted })
}

/** Of the relationships that were shortened, those that are too short. Stored ids of deleted documents do not count. */
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

/** By the path of their fields. */
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
