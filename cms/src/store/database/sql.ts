/**
 * A piece of SQL, or a whole statement with rows of type `Row`: text with its values apart, never mixed into it.
 * There is a value between any two texts. (Query builders take longer than the statements that they build.)
 */
export class Sql<Row = unknown> {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
  /** Carries the type of the rows only. */
  readonly row?: Row

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts
    this.values = values
  }
}

/** SQL with values and other pieces put in: pieces become part of the text, everything else a parameter. */
export function sql<Row = unknown>(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql<Row> {
  return merge(strings, values)
}

/** Pieces one after another, with a comma or another piece between them. */
export const joined = (pieces: readonly unknown[], between: string = ', '): Sql => {
  if (pieces.length === 0) return new Sql([''], [])
  return merge(['', ...Array<string>(pieces.length - 1).fill(between), ''], pieces)
}

/** The condition that all of some hold; what is false is left out of them. */
export const allOf = (...conditions: readonly (Sql | false)[]): Sql => {
  const given = conditions.filter((condition) => condition !== false)
  return given.length === 0 ? sql`true` : joined(given, ' and ')
}

/** Quotes one of our own names, also `table.column`. */
export const quotedName = (name: string): Sql => new Sql([`"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`], [])

/** Puts one of our own numbers into the text itself, where an index or the planner must see it. */
export const literal = (value: number): Sql => new Sql([String(Number(value))], [])

function merge<Row>(strings: readonly string[], pieces: readonly unknown[]): Sql<Row> {
  const texts: string[] = []
  const values: unknown[] = []
  let text = strings[0] ?? ''
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index]
    if (piece instanceof Sql) {
      text += piece.texts[0]
      for (let inner = 0; inner < piece.values.length; inner += 1) {
        texts.push(text)
        values.push(piece.values[inner])
        text = piece.texts[inner + 1] ?? ''
      }
    } else {
      texts.push(text)
      values.push(piece)
      text = ''
    }
    text += strings[index + 1] ?? ''
  }
  texts.push(text)
  return new Sql(texts, values)
}

/** A value in a row that is given to a statement, or read by one. */
export type Cell = string | number | null

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
