import { copyJson, type JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import type { DocumentReference } from '../../model/field-type/value-terms.ts'
import type { OpenCopies } from '../../model/terms/document.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import { dropReferences, type LocatedField, storedValue, targetsOf, walk } from '../../model/values/walk.ts'
import type { DocumentReader } from '../../store/contract/store.ts'
import type { Viewer } from '../permissions.ts'
import { type Views, viewsOf } from '../view.ts'

interface Lookup {
  readonly views: Views
  /** Of the documents that were looked up; null for those that are not there. */
  readonly types: ReadonlyMap<DocId, string | null>
}

/**
 * The documents that values name and that the caller must not learn of, because of their types (§5.7). Where a
 * relationship leads to types that the caller sees and to others, the types of its documents have been looked up; those
 * that are not of a type seen are not for the caller.
 */
export class UnseenDocuments {
  readonly #lookup: Lookup | null

  /** Null where no relationship leads to a type that the caller must not learn of. */
  constructor(lookup: Lookup | null) {
    this.#lookup = lookup
  }

  has({ id, types }: DocumentReference): boolean {
    if (this.#lookup === null) return false
    const { views, types: typeOf } = this.#lookup
    const seen = types.filter((type) => !views.hidesType(type))
    if (seen.length === 0 || seen.length === types.length) return seen.length === 0
    const type = typeOf.get(id)
    return type !== undefined && (type === null || !seen.includes(type))
  }

  /** Values without them: a copy, where there may be some. */
  without(fields: Fields, values: JsonObject): JsonObject {
    if (this.#lookup === null) return values
    const copy = copyJson(values)
    dropReferences(fields, copy, (reference) => reference.kind === 'document' && this.has(reference))
    return copy
  }

  /**
   * Keeps those that were there, in place, and brings no others along: they were not shown to the caller, who cannot
   * have meant to take them out. So do items and widgets that are still there.
   */
  keep(fields: Fields, values: JsonObject, before: JsonObject): void {
    if (this.#lookup === null) return
    const { views } = this.#lookup
    const known = new Map<string, LocatedField>()
    for (const located of walk(fields, before)) if (views.leadsUnseen(located.field)) known.set(located.path, located)
    if (known.size === 0) return
    for (const located of walk(fields, values)) {
      const { field, values: holder, path } = located
      const kept = known.get(path)
      // The path may lead to a field of another widget now, which has replaced the one with its id.
      if (kept?.field !== field) continue
      Object.assign(holder, field.type.property?.store(this.#merged(located, kept), field.name))
    }
  }

  /** The value of a relationship, with the documents of its former value that the caller must not learn of. */
  #merged({ field, values }: LocatedField, before: LocatedField): JsonObject {
    const isUnseen = (id: DocId) => this.has({ kind: 'document', id, types: targetsOf(field) })
    const [now, former] = [relatedIn(field, values), relatedIn(field, before.values)]
    const ids = now.ids.filter((id) => !isUnseen(id))
    const kept = new Set(former.ids.filter(isUnseen))
    const fields = Object.entries(now.fields).filter(([id]) => !isUnseen(id))
    const keptFields = Object.entries(former.fields).filter(([id]) => kept.has(id))
    return {
      ids: inPlace(ids, former.ids, kept),
      fields: copyJson(Object.fromEntries([...fields, ...keptFields])),
    }
  }
}

interface RelatedValue {
  readonly ids: readonly DocId[]
  readonly fields: JsonObject
}

function relatedIn(field: Field, values: JsonObject): RelatedValue {
  // `as`: only relationships lead to types, and this is what is stored of one.
  return (storedValue(field, values) ?? { ids: [], fields: {} }) as unknown as RelatedValue
}

/** Puts the kept ones of former ids among others, each behind the one that it stood behind. */
function inPlace(ids: readonly DocId[], former: readonly DocId[], kept: ReadonlySet<DocId>): DocId[] {
  const left = new Set(ids)
  const following = new Map<DocId | null, DocId[]>()
  let anchor: DocId | null = null
  for (const id of former) {
    if (left.has(id)) anchor = id
    if (!kept.has(id)) continue
    const behind = following.get(anchor) ?? []
    behind.push(id)
    following.set(anchor, behind)
  }
  return [...(following.get(null) ?? []), ...ids.flatMap((id) => [id, ...(following.get(id) ?? [])])]
}

/** No relationship leads to types that the caller must not learn of. */
const NONE = new UnseenDocuments(null)

interface Values {
  readonly fields: Fields
  readonly values: JsonObject
}

/** The values of the copies of a document. */
export function contentsOf({ fields }: Type, { draft, published }: OpenCopies): Values[] {
  return [draft, published].flatMap((copy) => (copy === null ? [] : [{ fields, values: copy.fields }]))
}

/** Looks up which of the documents that these values name the caller must not learn of; at most one statement. */
export async function unseenDocuments(
  viewer: Viewer,
  read: Pick<DocumentReader, 'types'>,
  contents: readonly Values[],
): Promise<UnseenDocuments> {
  const views = viewsOf(viewer)
  const leading: LocatedField[] = []
  for (const { fields, values } of contents)
    for (const located of walk(fields, values)) if (views.leadsUnseen(located.field)) leading.push(located)
  if (leading.length === 0) return NONE
  const mixed = leading.filter(({ field }) => targetsOf(field).some((type) => !views.hidesType(type)))
  const ids = [...new Set(mixed.flatMap(({ field, values }) => relatedIn(field, values).ids))]
  const types = ids.length === 0 ? new Map<DocId, string>() : await read.types(ids)
  return new UnseenDocuments({ views, types: new Map(ids.map((id) => [id, types.get(id) ?? null])) })
}
