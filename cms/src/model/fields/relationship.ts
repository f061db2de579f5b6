import { z } from 'zod'
import { isObject, type JsonObject, type JsonSchema, own } from '../../base/json.ts'
import type {
  Difference,
  FieldProperty,
  Fields,
  FieldType,
  Part,
  Reading,
  SchemaUse,
} from '../field-type/field-type.ts'
import {
  amountBounds,
  checkBounds,
  declaredFields,
  NO_FIELDS,
  relatedOptions,
  typeName,
} from '../field-type/options.ts'
import { checkCount, isBlank, MOST_ITEMS } from '../field-type/outside.ts'
import { DocumentId } from '../terms/document-id.ts'
import { holderSchema } from '../values/holder-schema.ts'
import { countSchema } from './items.ts'

/** The names of one or several types; `@cms/any-page` stands for all types of pages. */
const withType = z.union([typeName, z.array(typeName).min(1)]).transform((given) => [given].flat())

const options = z
  .strictObject({ ...amountBounds, ...relatedOptions, withType, fields: declaredFields.optional() })
  .transform((given) => ({ ...given, children: NO_FIELDS }))

type RelationshipOptions = z.infer<typeof options>
type RelationshipValue = { ids: string[]; fields: { [docId: string]: JsonObject } }

/**
 * Documents of other types, in order, each with values of the relationship itself. Declared as `_topics`, stored as
 * `topicsIds` and `topicsFields` (§2.15).
 */
export const relationship: FieldType<RelationshipOptions, RelationshipValue> = {
  name: 'relationship',
  countsItems: true,
  style: 'image',
  options,
  blank: () => ({ ids: [], fields: {} }),
  read(input, options, reading, before) {
    const value: RelationshipValue = { ids: [], fields: {} }
    const isStoredForm = isObject(input) && Array.isArray(own(input, 'ids'))
    // `as`: what is stored in a relationship's place is a relationship.
    const named = reading.named as RelationshipValue | null
    const known = new Set([...(before?.ids ?? []), ...(named?.ids ?? [])])
    const given =
      input instanceof RepeatedReferences
        ? input.pairs(known, Math.max(options.max ?? MOST_ITEMS, known.size))
        : isStoredForm
          ? pairs(own(input, 'ids'), own(input, 'fields'))
          : pairs(input, undefined)
    const seen = new Set<string>()
    for (const [index, one] of given.slice(0, MOST_ITEMS).entries()) {
      const id = readId(one.id, reading, String(index))
      if (id === null || seen.has(id)) continue
      seen.add(id)
      value.ids.push(id)
      const reference = { kind: 'document', id, types: options.withType } as const
      if (one.isLeftOut) reading.staysUnseen(reference)
      else if (!isStoredForm && !known.has(id)) reading.mustExist(reference)
      if (!options.fields) continue
      const fields = isObject(one.fields) ? one.fields : {}
      if (fields !== one.fields) reading.problem('The fields of a related document must be an object.', 'invalid', id)
      value.fields[id] = reading.holder(options.children, fields, id, before?.fields[id] ?? null)
    }
    const { ids } = value
    const unseen = unseenIn(before?.ids ?? [], options, reading)
    const shown = given.length > MOST_ITEMS ? given.length : ids.filter((id) => !unseen.has(id)).length
    const { min, max = MOST_ITEMS } = options
    checkCount(
      shown + unseen.size,
      { ...(min !== undefined && { min }), max: max + unseen.size },
      reading,
      before?.ids.length,
    )
    return value
  },
  toText: ({ ids }, _options, names) => ids.map((id) => names?.documentTitle(id) ?? id).join(', '),
  jsonSchema: ({ children, min, max }, use) => ({
    type: 'array',
    ...countSchema(min, max, use),
    items: use.side === 'answer' ? { type: 'object' } : givenSchema(children, use),
  }),
  check: checkBounds,
  compile: (options, compiler) => ({
    ...options,
    withType: compiler.typeNames(options.withType),
    children: options.fields ? compiler.fields(options.fields, 'fields') : NO_FIELDS,
  }),
  innerFields: ({ children }) => children,
  children: ({ ids, fields }, { children }) =>
    ids.flatMap((id) => {
      const values = own(fields, id)
      return values ? { step: id, values, fields: children } : []
    }),
  diff: diffRelated,
  references: (value, { withType }) => value.ids.map((id) => ({ kind: 'document', id, types: withType })),
  isEmpty: (value) => value.ids.length === 0,
  relation: 'forward',
  property: stemmed(),
}

/** The stored ids that the writer must not learn of: they stay whatever is written, and take no room. */
function unseenIn(ids: readonly string[], { withType: types }: RelationshipOptions, reading: Reading): Set<string> {
  return new Set(ids.filter((id) => reading.isUnseen({ kind: 'document', id, types })))
}

/** Compares the related ids, and the fields of the documents that are related on both sides. */
function* diffRelated(
  older: RelationshipValue | null,
  newer: RelationshipValue | null,
  { children }: RelationshipOptions,
): Generator<Difference> {
  yield { of: 'value', kind: 'relationship', old: older?.ids ?? [], new: newer?.ids ?? [] }
  if (older === null || children.list.length === 0) return
  const before = new Set(older.ids)
  for (const id of newer?.ids ?? []) {
    if (!before.has(id)) continue
    const part = (value: RelationshipValue | null): Part => ({
      segment: { of: 'document', name: id },
      holder: own(value?.fields ?? {}, id) ?? {},
      fields: children,
    })
    yield { of: 'part', kind: 'related', older: part(older), newer: part(newer) }
  }
}

/** A related document as a body names it. */
function givenSchema(children: Fields, use: SchemaUse): JsonSchema {
  const fields = holderSchema(children, use, { properties: {}, required: [] })
  const properties = {
    _id: { type: 'string', description: 'The _id or aposDocId of the document.' },
    _fields: { ...fields, description: 'What the relationship says of it.' },
  }
  return { type: 'object', required: ['_id'], properties }
}

/** A related document as a body names it. */
interface Pair {
  readonly id: unknown
  readonly fields: unknown
  readonly isLeftOut?: true
}

/**
 * A relationship that a body gives as documents and as ids, as answers do. The documents count. Among the ids are those
 * that no document was shown of: one that is stored, and that the documents leave out, stays where it is (§2.15), if
 * there is room.
 */
class RepeatedReferences {
  readonly #documents: readonly Pair[]
  readonly #ids: readonly Pair[]

  constructor(documents: unknown, ids: unknown, fields: unknown) {
    this.#documents = pairs(documents, undefined)
    this.#ids = pairs(ids, fields)
  }

  pairs(stored: ReadonlySet<string>, max: number): Pair[] {
    const named = new Set(this.#documents.map(({ id }) => docIdOf(id)))
    const leftOutAfter = new Map<string | null, Pair[]>()
    let anchor: string | null = null
    for (const pair of this.#ids) {
      const id = docIdOf(pair.id)
      if (named.has(id)) anchor = id
      else if (id !== null && stored.has(id)) {
        const others = leftOutAfter.get(anchor) ?? []
        others.push({ ...pair, isLeftOut: true })
        leftOutAfter.set(anchor, others)
      }
    }
    const following = (id: string | null) => leftOutAfter.get(id) ?? []
    const all = [...following(null), ...this.#documents.flatMap((pair) => [pair, ...following(docIdOf(pair.id))])]
    return all.length > max ? [...this.#documents] : all
  }
}

/** Reads ids, objects with `_id` and `_fields`, or a list of either, as ids with relationship values. */
function pairs(input: unknown, fields: unknown): Pair[] {
  if (isBlank(input)) return []
  const fieldsOf = fieldsById(fields)
  return (Array.isArray(input) ? input : [input]).map((one) =>
    isObject(one)
      ? { id: own(one, '_id'), fields: isBlank(own(one, '_fields')) ? {} : own(one, '_fields') }
      : { id: one, fields: fieldsOf(one) },
  )
}

/** Returns a lookup of the relationship's fields in a body, by `_id` or aposDocId. */
function fieldsById(fields: unknown): (id: unknown) => unknown {
  if (!isObject(fields)) return () => (isBlank(fields) ? {} : fields)
  const byDocId = new Map(Object.entries(fields).map(([id, values]) => [docIdOf(id), values]))
  return (id) => byDocId.get(docIdOf(id)) ?? {}
}

function docIdOf(id: unknown): string | null {
  return typeof id === 'string' ? (DocumentId.parse(id.trim())?.docId ?? null) : null
}

function readId(id: unknown, reading: Reading, step: string): string | null {
  const docId = docIdOf(id)
  if (docId === null) reading.problem('This must be the _id of a document.', 'invalid', step)
  return docId
}

type StoredNames = readonly [ids: string, fields: string]

/** By the name of the field, as many as a site has relationships. */
const storedNames = new Map<string, StoredNames>()

/** `_topics` → `topicsIds` and `topicsFields`. */
function namesOf(field: string): StoredNames {
  const known = storedNames.get(field)
  if (known !== undefined) return known
  const stem = field.replace(/^_/, '')
  const names: StoredNames = [`${stem}Ids`, `${stem}Fields`]
  storedNames.set(field, names)
  return names
}

function stemmed(): FieldProperty<RelationshipValue> {
  const idsName = (field: string) => namesOf(field)[0]
  const fieldsName = (field: string) => namesOf(field)[1]
  return {
    given(holder, field) {
      const documents = own(holder, field)
      const ids = own(holder, idsName(field))
      if (documents !== undefined) {
        return Array.isArray(ids) ? new RepeatedReferences(documents, ids, own(holder, fieldsName(field))) : documents
      }
      if (ids === undefined) return undefined
      const list = isBlank(ids) ? [] : Array.isArray(ids) ? ids : [ids]
      return { ids: list, fields: own(holder, fieldsName(field)) }
    },
    stored(holder, field) {
      const ids = own(holder, idsName(field))
      if (!Array.isArray(ids)) return null
      // `as`: what is stored was clean when it was stored.
      return { ids: ids as string[], fields: (own(holder, fieldsName(field)) ?? {}) as RelationshipValue['fields'] }
    },
    store: (value, field) => ({ [idsName(field)]: value?.ids ?? [], [fieldsName(field)]: value?.fields ?? {} }),
    names: namesOf,
    jsonSchemas: (field, label) => ({
      [idsName(field)]: {
        type: 'array',
        items: { type: 'string' },
        description: `${label}: the aposDocIds, in order.`,
      },
      [fieldsName(field)]: {
        type: 'object',
        additionalProperties: { type: 'object' },
        description: `${label}: what the relationship says of each, by aposDocId.`,
      },
    }),
  }
}
