import { joined, quotedName, Sql, sql } from './sql.ts'

type Cell = string | number | null

/** A value for a column: truth is stored as 1 and 0, lists and objects as JSON. */
type Storable = Cell | boolean | object

/** The column of a property: `createdAt` is stored in `created_at`. */
function columnOf(property: string): Sql {
  return quotedName(property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}

/** Columns to be read, each under the name of its property. */
export function columns<Row>(...properties: readonly (keyof Row & string)[]): Sql<Row> {
  return read(properties, '')
}

/** Columns of a table, or of the alias of one, to be read. */
export function columnsOf<Row>(table: string, ...properties: readonly (keyof Row & string)[]): Sql<Row> {
  return read(properties, `${table}.`)
}

function read<Row>(properties: readonly string[], prefix: string): Sql<Row> {
  const { texts, values } = joined(
    properties.map((property) => sql`${columnOf(prefix + property)} as ${quotedName(property)}`),
  )
  return new Sql(texts, values)
}

/** The columns and values of a row to insert. */
export function inserted(row: { readonly [property: string]: Storable }): Sql {
  const names = joined(Object.keys(row).map(columnOf))
  return sql`(${names}) values (${joined(Object.values(row).map(cellOf))})`
}

/** New values of columns, for an `update`. */
export function assigned(values: { readonly [property: string]: Storable }): Sql {
  return joined(Object.entries(values).map(([name, value]) => sql`${columnOf(name)} = ${cellOf(value)}`))
}

/** Replaces columns of a stored row by those of the one that an `insert` brings. */
export function replaced(...properties: readonly string[]): Sql {
  return joined(properties.map((property) => sql`${columnOf(property)} = excluded.${columnOf(property)}`))
}

function cellOf(value: Storable): Cell {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
