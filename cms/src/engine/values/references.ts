import { invalidValue, type Problem } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Reference } from '../../model/field-type/value-terms.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import type { NamedReference } from '../../model/values/read-result.ts'
import { referencesOf, walk } from '../../model/values/walk.ts'

/** Identifies a reference among those of a document. */
function keyOf(reference: Reference): string {
  return reference.kind === 'document' ? `${reference.types.join()} ${reference.id}` : reference.id
}

/** Lists the references of a document's values. */
export function referencesIn(type: Type, values: JsonObject): Reference[] {
  const found: Reference[] = []
  for (const { field, values: holder } of walk(type.fields, values)) {
    for (const reference of referencesOf(field, holder)) found.push(reference)
  }
  return found
}

/** The ids of references of one kind, each once. */
export function idsOf(references: readonly Reference[], kind: Reference['kind']): string[] {
  return [...new Set(references.filter((reference) => reference.kind === kind).map((reference) => reference.id))]
}

/** The references that are stored in a document. */
export class StoredReferences {
  readonly #keys: ReadonlySet<string>
  readonly #byType: ReadonlySet<string>

  constructor(type: Type, before: JsonObject | null) {
    const all = before ? referencesIn(type, before) : []
    this.#keys = new Set(all.map(keyOf))
    const documents = all.flatMap((one) => (one.kind === 'document' && one.types.length > 1 ? [one] : []))
    this.#byType = new Set(documents.flatMap(({ id, types }) => types.map((name) => `${name} ${id}`)))
  }

  /**
   * Whether a reference is one of them: it may stay anywhere that takes documents of the same types, or of that of the
   * document.
   */
  has(reference: Reference, types: ReadonlyMap<DocId, string>): boolean {
    if (this.#keys.has(keyOf(reference))) return true
    const type = types.get(reference.id)
    if (reference.kind !== 'document' || type === undefined || !reference.types.includes(type)) return false
    return this.#byType.has(`${type} ${reference.id}`) || this.#keys.has(`${type} ${reference.id}`)
  }
}

/** Says which types a caller must not learn of (`Views`). */
interface Hiding {
  hidesType(typeName: string): boolean
}

/** Reports those of the named references that are not there; their types are named as far as the caller sees them. */
export function missingReferences(
  views: Hiding,
  mustExist: readonly NamedReference[],
  isThere: (reference: Reference) => boolean,
): Problem[] {
  return mustExist
    .filter(({ reference }) => !isThere(reference))
    .map(({ path, reference }) => invalidValue(path, missingMessage(views, reference)))
}

function missingMessage(views: Hiding, reference: Reference): string {
  if (reference.kind === 'attachment') return `There is no attachment ${reference.id}. Upload the file first.`
  const seen = reference.types.filter((type) => !views.hidesType(type))
  const types = seen.length > 0 ? seen : reference.types.slice(0, 1)
  return `There is no ${types.join(' or ')} with the id ${reference.id}.`
}
