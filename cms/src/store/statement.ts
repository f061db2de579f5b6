import type { Kysely, RawBuilder } from 'kysely'

/** A piece of SQL, or a whole statement: text with its values apart, never mixed into it. */
export type Sql<Row = unknown> = RawBuilder<Row>

/** A statement as it is sent. */
export interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** Where statements are sent to: a reader, or one transaction. */
export interface Connection {
  /** The rows of a statement. */
  all<Row>(query: Sql<Row>): Promise<Row[]>
  /** The rows of a statement whose text never changes; compiled at the first use. */
  fixed<Row, Values extends Bindings>(query: Fixed<Row, Values>, values: Values): Promise<Row[]>
}

/** Values by name. */
export type Bindings = { readonly [name: string]: string | number | null | Uint8Array }

/** A statement whose text is always the same: built once with places in it, then only filled in. */
export interface Fixed<Row, Values extends Bindings> {
  statement(builder: Kysely<unknown>, values: Values): Statement
  /** Carries the type of the rows only. */
  readonly row?: Row
}

class Place {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Declares a statement for the busiest paths. `build` is called once for each dialect; the values it gets are places
 * that may only stand as parameters.
 */
export function fixed<Row, Values extends Bindings>(
  build: (values: Values, builder: Kysely<unknown>) => Sql<Row>,
): Fixed<Row, Values> {
  const compiled = new WeakMap<Kysely<unknown>, Statement>()
  const places = new Proxy({}, { get: (_, name) => new Place(String(name)) })
  return {
    statement(builder, values) {
      let known = compiled.get(builder)
      if (known === undefined) {
        // The places stand for values that come later: they are only ever bound.
        known = compile(builder, build(places as Values, builder))
        compiled.set(builder, known)
      }
      const fill = (parameter: unknown) => (parameter instanceof Place ? values[parameter.name] : parameter)
      return { text: known.text, parameters: known.parameters.map(fill) }
    },
  }
}

/** The statement as text and parameters. */
export function compile(builder: Kysely<unknown>, query: Sql): Statement {
  const { sql, parameters } = query.compile(builder)
  return { text: sql, parameters }
}
