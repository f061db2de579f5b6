import type { Bindings, Dialect, Fixed, Statement } from './connection.ts'
import type { Sql } from './sql.ts'

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
