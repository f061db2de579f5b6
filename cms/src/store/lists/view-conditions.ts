import type { Dialect } from '../database/connection.ts'
import { indexScopeKey, indexStatesOf } from '../database/index-keys.ts'
import { allOf, joined, literal, quotedName, type Sql, sql } from '../database/sql.ts'
import type { RelatedTarget, View } from '../terms/document-query.ts'

/** A condition as SQL. */
export interface Test {
  /** SQL for: the condition holds for the document with this row number. */
  holds(row: Sql): Sql
  /** Whether `holds` refers to columns of the document `d`, which must then be in the `from` clause. */
  readonly needsDocument: boolean
  /** The row numbers (`n`) that it holds for, where an index finds them. */
  readonly rows: Sql | null
  /** About how many documents it finds: the lowest drives the query. */
  readonly selectivity: number
}

/** A test of the row number alone, which no index helps with. */
export function rowTest(holds: Test['holds']): Test {
  return { holds, needsDocument: false, rows: null, selectivity: 9 }
}

/** A test of the columns of the document `d`, which no index helps with. */
export function documentTest(matches: Sql): Test {
  return { holds: () => matches, needsDocument: true, rows: null, selectivity: 9 }
}

/** The index rows `x`, or documents `d`, that match. */
export interface Match extends Pick<Test, 'selectivity'> {
  readonly matches: Sql
}

/** A test of columns of the documents `d` of a view that are in an index. */
export function columnTest(view: View, { matches, selectivity }: Match): Test {
  const rows = sql`select d.n from documents d where ${isShown(view)} and ${matches}`
  return { holds: () => matches, needsDocument: true, rows, selectivity }
}

/** A test of the index rows `x` that documents of a view have under a name. */
export function indexRowTest(view: View, { name, matches, selectivity }: Match & { readonly name: string }): Test {
  return {
    holds: (row) => sql`exists (select 1 from entries x where x.document = ${row} and x.name = ${name} and ${matches})`,
    needsDocument: false,
    rows: sql`select distinct x.document as n from entries x where ${isIndexRowOf(view, name, 'x')} and ${matches}`,
    selectivity,
  }
}

/** The condition that a document `alias` is one of those that some targets show. */
export function isTarget(targets: readonly RelatedTarget[], alias: string): Sql {
  const shown = targets.map(({ view }) => isShown(view, alias))
  return targets.length === 1 ? joined(shown) : sql`((${joined(shown, ') or (')}))`
}

/** The condition that the document `alias` is one of a view. */
export function isShown(view: View, alias = 'd'): Sql {
  const column = (name: string) => quotedName(`${alias}.${name}`)
  return allOf(
    sql`${column('type')} = ${view.type} and ${column('locale')} = ${view.locale} and ${column('mode')} = ${view.mode}`,
    view.archived !== 'any' && sql`${column('archived')} = ${literal(view.archived ? 1 : 0)}`,
    view.visibility !== null && sql`${column('visibility')} = ${view.visibility}`,
  )
}

/** The condition that an index row `alias` is of a document of a view. */
export function isIndexRowOf(view: View, name: string, alias: string): Sql {
  const column = (of: string) => quotedName(`${alias}.${of}`)
  const inStates = sql`${column('state')} in (${joined(indexStatesOf(view).map(literal))})`
  return sql`${column('scope')} = ${indexScopeKey(view)} and ${column('name')} = ${name} and ${inStates}`
}

/** Values as a table `i` with one column `value`, for a join that begins with them. */
export function listOf(values: readonly string[], dialect: Dialect): Sql {
  const rows = Array.from(new Set(values), (value) => [value])
  return dialect.table('i', { value: 'text' }, rows)
}
