import { isObject, type JsonObject, type JsonSchema, own } from '../../base/json.ts'
import type { Reading, SchemaUse } from '../field-type/field-type.ts'
import { MOST_ITEMS } from '../field-type/outside.ts'
import { isId } from '../terms/document-id.ts'

/** One item of a list as given from outside. */
export interface ItemInput {
  /** The id it keeps, or its new one. */
  readonly id: string
  /** Its step in a path: the id it came with, else its index. */
  readonly step: string
  readonly values: { readonly [name: string]: unknown }
  /** The stored item with the same id. */
  readonly before: JsonObject | null
}

/** The id of an object from outside: its own when it can be one, the stored one, or a new one. */
export function readItemId(input: unknown, before: unknown, reading: Reading): string {
  return ownId(input) ?? ownId(before) ?? reading.newId()
}

/** The items of a list, each with a unique id. Reports what is not an object. */
export function itemInputs(list: readonly unknown[], before: readonly JsonObject[], reading: Reading): ItemInput[] {
  const stored = new Map(before.map((item) => [item._id, item]))
  const taken = new Set<string>()
  const items: ItemInput[] = []
  for (const [index, values] of list.slice(0, MOST_ITEMS).entries()) {
    if (!isObject(values)) {
      reading.problem('This must be an object.', 'invalid', String(index))
      continue
    }
    const given = ownId(values)
    const isFree = given !== null && !taken.has(given)
    const id = isFree ? given : reading.newId()
    taken.add(id)
    items.push({ id, step: isFree ? given : String(index), values, before: stored.get(id) ?? null })
  }
  return items
}

function ownId(holder: unknown): string | null {
  const id = isObject(holder) ? own(holder, '_id') : undefined
  return typeof id === 'string' && isId(id) ? id : null
}

/** Returns the properties that items, objects and widgets have in addition to their fields; bodies may omit them. */
export function itemProperties(metaType: string, { side }: SchemaUse) {
  const properties: { readonly [name: string]: JsonSchema } = {
    _id: { type: 'string', description: 'Its id within the document; made when it is left out.' },
    metaType: { type: 'string', const: metaType, description: 'What it is.' },
    ...(side === 'answer' && {
      _edit: { type: 'boolean', const: true, description: 'The caller may edit it.' },
      _docId: { type: 'string', description: 'The document that it is in.' },
    }),
  }
  return { properties, required: side === 'answer' ? ['_id', 'metaType'] : [] }
}

/** Returns how many items a body may contain. */
export function countSchema(min: number | undefined, max: number | undefined, { side }: SchemaUse): JsonSchema {
  if (side === 'answer') return {}
  // An empty list is allowed unless the field is required.
  return max === undefined || (min ?? 0) > max ? {} : { maxItems: max }
}
