import { foldText } from '../../base/text.ts'
import type { Dialect } from '../database/connection.ts'
import { COLUMNS, indexScopeKey, indexStatesOf, titleKey } from '../database/rows.ts'
import { joined, literal, quotedName, type Sql, sql } from '../database/sql.ts'
import type { Column, Condition, Scope, View } from '../terms/document-store.ts'

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

/** The condition that the document `alias` is one of a view. */
export function isShown(view: View, alias = 'd'): Sql {
  const column = (name: string) => quotedName(`${alias}.${name}`)
  const parts = [
    sql`${column('type')} = ${view.type} and ${column('locale')} = ${view.locale} and ${column('mode')} = ${view.mode}`,
  ]
  if (view.archived !== 'any') parts.push(sql`${column('archived')} = ${literal(view.archived ? 1 : 0)}`)
  if (view.visibility !== null) parts.push(sql`${column('visibility')} = ${view.visibility}`)
  return joined(parts, ' and ')
}

/** The condition that an index row `alias` is of a document of a view. */
export function isIndexRowOf(view: View, name: string, alias: string): Sql {
  const column = (of: string) => quotedName(`${alias}.${of}`)
  const inStates = sql`${column('state')} in (${joined(indexStatesOf(view).map(literal))})`
  return sql`${column('scope')} = ${indexScopeKey(view)} and ${column('name')} = ${name} and ${inStates}`
}

/** A condition on the documents of a view, as SQL. */
export function testOf(condition: Condition, view: View, dialect: Dialect): Test {
  switch (condition.kind) {
    case 'equals':
      return indexRowTest(view, {
        name: condition.name,
        matches: isOneOf(condition.anyOf, dialect),
        selectivity: selectivityOf(condition.anyOf),
      })
    case 'range':
      return indexRowTest(view, { name: condition.name, matches: isBetween(condition), selectivity: 4 })
    case 'related': {
      const matches = sql`x.text in (${targetIds(condition, condition.anyOf, dialect)})`
      const points = indexRowTest(view, { name: condition.name, matches, selectivity: 1 })
      if (!condition.orNone) return points
      const pointsNot = (row: Sql) => pointsNowhere(condition.name, condition.target, row)
      return documentTest((row) => sql`(${points.holds(row)} or ${pointsNot(row)})`, false)
    }
    case 'relatedToAll':
      return relatedToAll(condition, view, dialect)
    case 'unrelated':
      return documentTest((row) => pointsNowhere(condition.name, condition.target, row), false)
    case 'column': {
      const matches = isColumnOneOf(condition.column, condition.anyOf, dialect)
      const rows = sql`select d.n from documents d where ${isShown(view)} and ${matches}`
      return { holds: () => matches, needsDocument: true, rows, selectivity: 0 }
    }
    case 'columnRange':
      return documentTest(() => isColumnBetween(condition))
    case 'visibility':
      return documentTest(() => sql`d.visibility in (${joined(['', ...condition.anyOf])})`)
    case 'never':
      return documentTest(() => sql`false`, false)
  }
}

function documentTest(holds: (row: Sql) => Sql, needsDocument = true): Test {
  return { holds, needsDocument, rows: null, selectivity: 9 }
}

interface IndexRowMatch extends Pick<Test, 'selectivity'> {
  readonly name: string
  /** Refers to an index row `x`. */
  readonly matches: Sql
}

function indexRowTest(view: View, { name, matches, selectivity }: IndexRowMatch): Test {
  return {
    holds: (row) => sql`exists (select 1 from entries x where x.document = ${row} and x.name = ${name} and ${matches})`,
    needsDocument: false,
    rows: sql`select distinct x.document as n from entries x where ${isIndexRowOf(view, name, 'x')} and ${matches}`,
    selectivity,
  }
}

/** One subquery on the relationships of a document, however many it must have: the planner would reorder several. */
function relatedToAll(condition: Extract<Condition, { kind: 'relatedToAll' }>, view: View, dialect: Dialect): Test {
  const { name, by, allOf } = condition
  const names = new Set(by === 'id' ? allOf : allOf.map(foldText))
  const matches = sql`x.text in (${targetIds(condition, [...names], dialect)})`
  const isAll = sql`count(distinct x.text) = ${names.size}`
  return {
    holds: (row) => sql`exists (select 1 from entries x where x.document = ${row} and x.name = ${name} and ${matches}
      group by x.document having ${isAll})`,
    needsDocument: false,
    rows: sql`select x.document as n from entries x where ${isIndexRowOf(view, name, 'x')} and ${matches}
      group by x.document having ${isAll}`,
    selectivity: 1,
  }
}

function selectivityOf(values: readonly (string | number)[]): number {
  return values.some((value) => typeof value === 'number') ? 3 : 2
}

function isOneOf(values: readonly (string | number)[], dialect: Dialect): Sql {
  const texts = values.filter((value) => typeof value === 'string')
  const numbers = values.filter((value) => typeof value === 'number')
  if (numbers.length === 0) return texts.length === 0 ? sql`false` : dialect.oneOf(sql`x.text`, texts, 'text')
  const isNumber = dialect.oneOf(sql`x.number`, numbers, 'number')
  return texts.length === 0 ? isNumber : sql`(${dialect.oneOf(sql`x.text`, texts, 'text')} or ${isNumber})`
}

function isBetween({ min, max }: { readonly min?: number | string; readonly max?: number | string }): Sql {
  const column = (bound: number | string) => (typeof bound === 'number' ? sql`x.number` : sql`x.text`)
  const parts: Sql[] = []
  if (min !== undefined) parts.push(sql`${column(min)} >= ${min}`)
  if (max !== undefined) parts.push(sql`${column(max)} <= ${max}`)
  return parts.length === 0 ? sql`true` : joined(parts, ' and ')
}

/** The ids of those of a view's documents that are named by id or slug. */
function targetIds(
  { target, by }: { readonly target: View; readonly by: 'id' | 'slug' },
  values: readonly string[],
  dialect: Dialect,
): Sql {
  const column = by === 'id' ? sql`t.doc_id` : sql`t.slug_folded`
  const names = by === 'id' ? values : values.map(foldText)
  const table = listOf(names, dialect)
  return sql`select t.doc_id from ${table} ${dialect.joinInOrder} documents t
    on ${column} = i.value and ${isShown(target, 't')}`
}

function pointsNowhere(name: string, target: View, row: Sql): Sql {
  return sql`not exists (
    select 1 from entries x join documents t on t.doc_id = x.text and ${isShown(target, 't')}
    where x.document = ${row} and x.name = ${name})`
}

/** Titles are found by the key they are sorted by, which several may share, and then compared. */
function isColumnOneOf(column: Column, values: readonly string[], dialect: Dialect): Sql {
  if (values.length === 0) return sql`false`
  if (column === 'createdAt' || column === 'updatedAt') {
    return dialect.oneOf(quotedName(`d.${COLUMNS[column]}`), values, 'text')
  }
  const folded = values.map(foldText)
  if (column === 'slug') return dialect.oneOf(sql`d.slug_folded`, folded, 'text')
  const keys = dialect.oneOf(sql`d.title_sort`, folded.map(titleKey), 'text')
  return sql`${keys} and ${dialect.oneOf(sql`d.title_folded`, folded, 'text')}`
}

function isColumnBetween(condition: Extract<Condition, { kind: 'columnRange' }>): Sql {
  const { column, min, max } = condition
  const key = (bound: string) => (column === 'title' ? titleKey(bound) : column === 'slug' ? foldText(bound) : bound)
  const name = quotedName(`d.${COLUMNS[column]}`)
  const parts: Sql[] = []
  if (min !== undefined) parts.push(sql`${name} >= ${key(min)}`)
  if (max !== undefined) parts.push(sql`${name} <= ${key(max)}`)
  return parts.length === 0 ? sql`true` : joined(parts, ' and ')
}

/** Values as a table `i` with one column `value`, for a join that begins with them. */
export function listOf(values: readonly string[], dialect: Dialect): Sql {
  const rows = Array.from(new Set(values), (value) => [value])
  return dialect.table('i', { value: 'text' }, rows)
}

/** The scope of a view, alone. */
export function scopeOfView({ type, locale, mode }: Scope): Scope {
  return { type, locale, mode }
}
