import type { Dialect } from './dialect.ts'
import type { Sql } from './sql.ts'

/** A statement as it is sent. */
export interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** Puts the placeholders of parameters between the texts of a statement. */
export type PlaceholderWriter = (texts: readonly string[]) => string

/** Where statements are sent to: a reader, or one transaction. */
export interface Connection {
  readonly dialect: Dialect
  /** The rows of a statement. */
  all<Row>(query: Sql<Row>): Promise<Row[]>
  /** The same for statements whose best plan depends on the values, which may be rare or common. */
  varied<Row>(query: Sql<Row>): Promise<Row[]>
  /** The rows of a statement whose text never changes; it is built at the first use. */
  fixed<Row, Values extends Bindings>(query: Fixed<Row, Values>, values: Values): Promise<Row[]>
}

/** Values by name. */
export type Bindings = { readonly [name: string]: string | number | null | Uint8Array }

/** A statement whose text never changes: built once for each database, with placeholders for its values. */
export interface Fixed<Row, Values extends Bindings> {
  statement(dialect: Dialect, write: PlaceholderWriter, values: Values): Statement
  /** Carries the type of the rows only. */
  readonly row?: Row
}

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Declares a statement for the busiest paths. `build` is called once for each database; the values it gets are
 * placeholders that may be used as parameters only.
 */
export function fixed<Row, Values extends Bindings>(
  build: (values: Values, dialect: Dialect) => Sql<Row>,
): Fixed<Row, Values> {
  // The placeholders take the place of values: they are only ever bound.
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values
  const built = new Map<Dialect, Statement>()
  return {
    statement(dialect, write, values) {
      let statement = built.get(dialect)
      if (statement === undefined) {
        const { texts, values: parameters } = build(placeholders, dialect)
        statement = { text: write(texts), parameters }
        built.set(dialect, statement)
      }
      const fill = (parameter: unknown) => (parameter instanceof Placeholder ? values[parameter.name] : parameter)
      return { text: statement.text, parameters: statement.parameters.map(fill) }
    },
  }
}
