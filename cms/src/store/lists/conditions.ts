import type { Dialect } from '../database/connection.ts'
import { joined, quotedName, type Sql, sql } from '../database/sql.ts'
import type { Condition, Through, View } from '../terms/document-query.ts'
import { documentTestOf } from './document-conditions.ts'
import { isIndexRowOf, isShown, type Test } from './view-conditions.ts'

/** The view that a condition is about, and how many relationships lead there: each has aliases of its own. */
interface Level {
  readonly view: View
  readonly depth: number
}

/** A condition on the documents of a view, as SQL. */
export function testOf(condition: Condition, view: View, dialect: Dialect): Test {
  return test(condition, { view, depth: 0 }, dialect)
}

function test(condition: Condition, level: Level, dialect: Dialect): Test {
  switch (condition.kind) {
    case 'all':
      return allOf(condition.of.map((one) => test(one, level, dialect)))
    case 'any':
      return anyOf(condition.of.map((one) => test(one, level, dialect)))
    case 'not':
      return not(test(condition.of, level, dialect))
    case 'through':
      return through(condition, level, dialect)
    default:
      return documentTestOf(condition, level.view, dialect)
  }
}

function allOf(tests: readonly Test[]): Test {
  const [first, ...others] = tests.toSorted((one, other) => one.selectivity - other.selectivity)
  const holds = (row: Sql) => both(tests, row, 'and')
  const needsDocument = tests.some((one) => one.needsDocument)
  if (first === undefined || first.rows === null) return { holds, needsDocument, rows: null, selectivity: 9 }
  return { holds, needsDocument, rows: filtered(first.rows, others), selectivity: first.selectivity }
}

function filtered(rows: Sql, tests: readonly Test[]): Sql {
  if (tests.length === 0) return rows
  const needsDocument = tests.some((one) => one.needsDocument)
  const documents = needsDocument ? sql`join documents d on d.n = h.n` : sql``
  return sql`select h.n from (${rows}) h ${documents} where ${both(tests, sql`h.n`, 'and')}`
}

function anyOf(tests: readonly Test[]): Test {
  const rows = tests.flatMap((one) => one.rows ?? [])
  return {
    holds: (row) => both(tests, row, 'or'),
    needsDocument: tests.some((one) => one.needsDocument),
    rows: rows.length === tests.length && rows.length > 0 ? joined(rows, ' union ') : null,
    selectivity: Math.max(...tests.map((one) => one.selectivity)),
  }
}

function both(tests: readonly Test[], row: Sql, how: 'and' | 'or'): Sql {
  if (tests.length === 0) return how === 'and' ? sql`true` : sql`false`
  return sql`(${joined(
    tests.map((one) => one.holds(row)),
    ` ${how} `,
  )})`
}

function not({ holds, needsDocument }: Test): Test {
  return { holds: (row) => sql`not (${holds(row)})`, needsDocument, rows: null, selectivity: 9 }
}

/**
 * A condition on related documents. Those behind a second relationship are found once, not by each document that leads
 * there: many may lead to one that many others lead to.
 */
function through(condition: Through, level: Level, dialect: Dialect): Test {
  const one = throughOne(condition, level, dialect)
  const { rows } = one
  if (level.depth === 0 || rows === null) return one
  return { ...one, holds: (row) => sql`${dialect.unindexed(row)} in (${rows})`, needsDocument: false }
}

/** A document is looked at by the one that leads to it; all are found from the related documents that fulfil the condition. */
function throughOne({ direction, name, target, of }: Through, { view, depth }: Level, dialect: Dialect): Test {
  const [entry, document] = [`y${depth}`, `t${depth}`]
  const [ofEntry, ofDocument] = [sqlName(entry), sqlName(document)]
  const inner = test(of, { view: target, depth: depth + 1 }, dialect)
  const row = ofDocument('n')
  const fulfils = inner.needsDocument
    ? sql`exists (select 1 from documents d where d.n = ${row} and ${inner.holds(sql`d.n`)})`
    : inner.holds(row)
  const targets = inner.rows ?? sql`select d.n from documents d where ${isShown(target)} and ${inner.holds(sql`d.n`)}`
  const entries = sql`entries ${quotedName(entry)}`
  const documents = sql`documents ${quotedName(document)}`
  if (direction === 'forward') {
    return {
      holds: (from) => sql`exists (select 1 from ${entries}
        join ${documents} on ${ofDocument('doc_id')} = ${ofEntry('text')} and ${isShown(target, document)}
        where ${ofEntry('document')} = ${from} and ${ofEntry('name')} = ${name} and ${fulfils})`,
      needsDocument: false,
      rows: sql`select distinct x.document as n from (${targets}) r ${dialect.joinInOrder} documents t on t.n = r.n
        ${dialect.joinInOrder} entries x on ${isIndexRowOf(view, name, 'x')} and x.text = t.doc_id`,
      selectivity: 2,
    }
  }
  return {
    holds: () => sql`exists (select 1 from ${entries} join ${documents} on ${row} = ${ofEntry('document')}
      where ${isIndexRowOf(target, name, entry)} and ${ofEntry('text')} = d.doc_id and ${fulfils})`,
    needsDocument: true,
    rows: sql`select distinct d.n from (${targets}) r
      ${dialect.joinInOrder} entries x on x.document = r.n and x.name = ${name}
      ${dialect.joinInOrder} documents d on d.doc_id = x.text and ${isShown(view)}`,
    selectivity: 2,
  }
}

function sqlName(alias: string): (column: string) => Sql {
  return (column) => quotedName(`${alias}.${column}`)
}
