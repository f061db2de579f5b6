import type { JsonObject } from '../../base/json.ts'
import type { Field, Fields } from '../field-type/field-type.ts'
import type { IndexRow } from '../field-type/value-terms.ts'
import { highestRole, type Role } from '../terms/roles.ts'
import { filesAside } from './aside.ts'
import { type LocatedField, storedValue, topOf, walk } from './walk.ts'

/** The index values of top-level and filterable fields, and the references and links of fields at any depth, without duplicates. */
export function indexRowsOf(fields: Fields, values: JsonObject): IndexRow[] {
  const rows = new Map<string, IndexRow>()
  const add = (row: IndexRow) => {
    rows.set(`${row.kind} ${row.name} ${row.number} ${row.text}`, row)
  }
  for (const located of walk(fields, values)) {
    const { field, values: holder, parent } = located
    const { type, options, name } = field
    for (const id of filesAside(holder)) {
      add({ kind: 'attachment', name: `${topOf(located).field.name}:admin`, text: id, number: null })
    }
    const indexName = parent === null ? name : field.filterable ? filterPath(located) : null
    if (!type.references && !type.links && (!type.index || indexName === null)) continue
    const value = storedValue(field, holder)
    if (value === null) continue
    if (indexName !== null) {
      for (const found of type.index?.(value, options) ?? []) add({ kind: 'value', name: indexName, ...found })
    }
    for (const { kind, id } of type.references?.(value, options) ?? []) {
      add({
        kind,
        name:
          kind === 'attachment' ? nameFor(located, topOf(located).field.name) : parent === null ? name : inner(located),
        text: id,
        number: null,
      })
    }
    for (const id of type.links?.(value) ?? []) add({ kind: 'document', name: inner(located), text: id, number: null })
  }
  return [...rows.values()]
}

/** The path that filters name a field inside of others by: fields and widget types; null below relationships. */
function filterPath({ field, values, parent }: LocatedField): string | null {
  if (parent === null) return field.name
  const above = parent.field.type.relation === undefined ? filterPath(parent) : null
  if (above === null) return null
  return values.metaType === 'widget' ? `${above}.${values.type}.${field.name}` : `${above}.${field.name}`
}

/** The name of references inside of fields, and of links in texts. */
const INNER = '*'

function inner(located: LocatedField): string {
  return nameFor(located, INNER)
}

function nameFor(located: LocatedField, name: string): string {
  const role = roleToSee(located)
  return role === null ? name : `${name}:${role}`
}

/** A piece of text by which full text search finds the document. */
interface SearchText {
  /** The top-level field that the text lies in. */
  readonly field: Field
  /** The strictest role of the field and its containers; null: none beyond seeing the document. */
  readonly viewRole: Role | null
  readonly text: string
}

/** The searchable texts of a document, at any depth, without empty ones. */
export function* searchTexts(fields: Fields, values: JsonObject): Generator<SearchText> {
  for (const located of walk(fields, values)) {
    const { field } = located
    if (!field.type.searchText) continue
    const value = storedValue(field, located.values)
    const text = value === null ? '' : field.type.searchText(value, field.options)
    if (text !== '') yield { field: topOf(located).field, viewRole: roleToSee(located), text }
  }
}

function roleToSee(located: LocatedField): Role | null {
  const roles: (Role | null)[] = []
  for (let at: LocatedField | null = located; at !== null; at = at.parent) roles.push(at.field.viewRole)
  return highestRole(roles)
}
