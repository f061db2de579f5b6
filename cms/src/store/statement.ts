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
  /** The rows of a statement whose text never changes; put together at the first use. */
  fixed<Row, Values extends Bindings>(query: Fixed<Row, Values>, values: Values): Promise<Row[]>
}

/** Values by name. */
export type Bindings = { readonly [name: string]: string | number | null | Uint8Array }

/** A statement whose text is always the same: built once with placeholders in it, then only filled in. */
export interface Fixed<Row, Values extends Bindings> {
  statement(write: PlaceholderWriter, values: Values): Statement
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
 * Declares a statement for the busiest paths. `build` is called once; the values it gets are placeholders that may only
 * stand as parameters.
 */
export function fixed<Row, Values extends Bindings>(build: (values: Values) => Sql<Row>): Fixed<Row, Values> {
  // The placeholders stand for values that come later: they are only ever bound.
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values
  const { texts, values: parameters } = build(placeholders)
  const written = new Map<PlaceholderWriter, string>()
  return {
    statement(write, values) {
      let text = written.get(write)
      if (text === undefined) {
        text = write(texts)
        written.set(write, text)
      }
      const fill = (parameter: unknown) => (parameter instanceof Placeholder ? values[parameter.name] : parameter)
      return { text, parameters: parameters.map(fill) }
    },
  }
}
