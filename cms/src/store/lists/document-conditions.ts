import { CUT, foldText } from '../../base/text.ts'
import type { Dialect } from '../database/connection.ts'
import { ARCHIVED, indexScopeKey, namedBy } from '../database/index-keys.ts'
import { COLUMNS, isScheduleOf, TIMES, titleKey } from '../database/rows.ts'
import { allOf, joined, literal, quotedName, type Sql, sql } from '../database/sql.ts'
import type {
  Bounds,
  Column,
  Condition,
  ReferenceName,
  RelatedTarget,
  TextMatch,
  View,
} from '../terms/document-query.ts'
import { stateSql } from './document-states.ts'
import {
  columnTest,
  documentTest,
  indexRowTest,
  isIndexRowOf,
  isShown,
  isTarget,
  listOf,
  type Match,
  rowTest,
  type Test,
} from './view-conditions.ts'

/** A condition on the document itself: its values, its columns, and what it points to. */
type DocumentCondition = Exclude<Condition, { readonly kind: 'through' | 'all' | 'any' | 'not' }>

/** A condition on the documents of a view, as SQL. */
export function documentTestOf(condition: DocumentCondition, view: View, dialect: Dialect): Test {
  switch (condition.kind) {
    case 'equals':
      return indexRowTest(view, {
        name: condition.name,
        matches: isOneOf(condition.anyOf, dialect),
        selectivity: condition.anyOf.some((value) => typeof value === 'number') ? 3 : 2,
      })
    case 'range':
      return indexRowTest(view, { name: condition.name, matches: isBetween(condition), selectivity: 4 })
    case 'text':
      return indexRowTest(view, { name: condition.name, ...textMatch(sql`x.text`, condition) })
    case 'filled':
      return indexRowTest(view, { name: condition.name, matches: sql`true`, selectivity: 7 })
    case 'related': {
      const matches = sql`x.text in (${targetRows(sql`t.doc_id`, { ...condition, values: condition.anyOf }, dialect)})`
      const points = indexRowTest(view, { name: condition.name, matches, selectivity: 1 })
      if (!condition.orNone) return points
      const pointsNot = (row: Sql) => pointsNowhere(condition, row)
      return rowTest((row) => sql`(${points.holds(row)} or ${pointsNot(row)})`)
    }
    case 'relatedToAll':
      return relatedToAll(condition, view, dialect)
    case 'unrelated':
      return rowTest((row) => pointsNowhere(condition, row))
    case 'column': {
      const matches = isColumnOneOf(condition.column, condition.anyOf, dialect)
      return columnTest(view, { matches, selectivity: 0 })
    }
    case 'columnRange':
      return columnTest(view, { matches: isColumnBetween(condition), selectivity: 5 })
    case 'columnText':
      return columnTest(view, columnMatch(condition))
    case 'visibility':
      return documentTest(sql`d.visibility in (${joined(['', ...condition.anyOf])})`)
    case 'state':
      return columnTest(view, { matches: sql`${stateSql(view)} in (${joined(condition.anyOf)})`, selectivity: 5 })
    case 'updatedBy':
      return columnTest(view, { matches: dialect.oneOf(sql`d.updated_by_id`, condition.anyOf, 'text'), selectivity: 3 })
    case 'scheduled':
      return scheduled(condition, view, dialect)
    case 'missingIn':
      return documentTest(sql`not exists (${translationOf(condition)})`)
    case 'outdatedIn':
      return documentTest(isOutdated(condition))
    case 'used':
      return documentTest(isUsed(condition.references, dialect))
    case 'extension':
      return fileTest(condition.name, dialect.oneOf(sql`a.extension`, condition.anyOf, 'text'))
    case 'pixels':
      return fileTest(
        condition.name,
        within(condition, (bound) => [quotedName(`a.${condition.side}`), bound]),
      )
    case 'never':
      return { ...rowTest(() => sql`false`), rows: sql`select 0 as n where false`, selectivity: 0 }
  }
}

/** A test of the file `a` in an attachment field of a document. */
function fileTest(name: string, matches: Sql): Test {
  return rowTest(
    (row) => sql`exists (select 1 from entries x join attachments a on a.id = x.text and ${matches}
      where x.document = ${row} and x.name = ${name} and x.kind = 'attachment')`,
  )
}

/** Few documents have a schedule: they are found by its times. */
function scheduled(condition: Extract<Condition, { kind: 'scheduled' }>, view: View, dialect: Dialect): Test {
  const time = quotedName(`t.${TIMES[condition.time]}`)
  const isOneOf = condition.anyOf === undefined ? sql`true` : dialect.oneOf(time, condition.anyOf, 'number')
  const matches = sql`${time} is not null and ${isOneOf} and ${within(condition, (bound) => [time, bound])}`
  return {
    holds: () => sql`exists (select 1 from schedules t where ${isScheduleOf('d', 't')} and ${matches})`,
    needsDocument: true,
    rows: sql`select d.n from schedules t
      ${dialect.joinInOrder} documents d on ${isScheduleOf('d', 't')} and ${isShown(view)} where ${matches}`,
    selectivity: 1,
  }
}

/** Tests all relationships of a document with one subquery: the planner would reorder several. */
function relatedToAll(condition: Extract<Condition, { kind: 'relatedToAll' }>, view: View, dialect: Dialect): Test {
  const { name, targets, allOf } = condition
  const size = new Set(targets.flatMap(({ by }) => namedBy(by, allOf))).size
  const rows = (columns: Sql) => targetRows(columns, { targets, values: allOf }, dialect)
  // Documents of several types may share a slug: names are counted then, not documents.
  const [source, isAll] =
    targets.length === 1
      ? [sql`entries x where x.text in (${rows(sql`t.doc_id`)}) and`, sql`count(distinct x.text) = ${size}`]
      : [
          sql`(${rows(sql`t.doc_id, i.value`)}) t ${dialect.joinInOrder} entries x on x.text = t.doc_id where`,
          sql`count(distinct t.value) = ${size}`,
        ]
  return {
    holds: (row) => sql`exists (select 1 from ${source} x.document = ${row} and x.name = ${name}
      group by x.document having ${isAll})`,
    needsDocument: false,
    rows: sql`select x.document as n from ${source} ${isIndexRowOf(view, name, 'x')}
      group by x.document having ${isAll}`,
    selectivity: 1,
  }
}

function isOneOf(values: readonly (string | number)[], dialect: Dialect): Sql {
  const texts = values.filter((value) => typeof value === 'string')
  const numbers = values.filter((value) => typeof value === 'number')
  if (numbers.length === 0) return texts.length === 0 ? sql`false` : dialect.oneOf(sql`x.text`, texts, 'text')
  const isNumber = dialect.oneOf(sql`x.number`, numbers, 'number')
  return texts.length === 0 ? isNumber : sql`(${dialect.oneOf(sql`x.text`, texts, 'text')} or ${isNumber})`
}

/** After all texts that begin with another one. */
const LAST = '\u{10ffff}'

/** A text in a column that an index has in order: its beginning is a range of it, of a part all are looked at. */
function textMatch(column: Sql, { is, text }: { readonly is: TextMatch; readonly text: string }): Match {
  if (is === 'part') return { matches: contains(column, text), selectivity: 6 }
  return { matches: sql`${column} >= ${text} and ${column} < ${text + LAST}`, selectivity: 4 }
}

/** A text that was cut ends in a hash of the whole (`foldText`), which is no part of it. */
function contains(column: Sql, text: string): Sql {
  const isIn = (part: Sql) => sql`${part} like ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`} escape ${'\\'}`
  const [length, ending, hash] = [sql`length(${column})`, literal(CUT.ending), literal(CUT.ending - 1)]
  const isCut = sql`${length} > ${literal(CUT.least)} and substr(${column}, ${length} - ${hash}, 1) = '#'`
  const written = sql`case when ${isCut} then substr(${column}, 1, ${length} - ${ending}) else ${column} end`
  return sql`${isIn(column)} and ${isIn(written)}`
}

/** Titles are found by the key they are sorted by, which is in an index, and then compared. */
function columnMatch({ column, is, text }: Extract<Condition, { kind: 'columnText' }>): Match {
  if (column === 'slug') return textMatch(sql`d.slug_folded`, { is, text })
  const { matches, selectivity } = textMatch(sql`d.title_sort`, { is, text: titleKey(text) })
  return { matches: sql`${matches} and ${textMatch(sql`d.title_folded`, { is, text }).matches}`, selectivity }
}

function isBetween(bounds: Bounds<number | string>): Sql {
  return within(bounds, (bound) => [typeof bound === 'number' ? sql`x.number` : sql`x.text`, bound])
}

interface NamedTargets {
  readonly targets: readonly RelatedTarget[]
  readonly values: readonly string[]
}

/** The documents `t` that are named by id or slug, as `i.value`: each type is looked up by its own index. */
function targetRows(columns: Sql, { targets, values }: NamedTargets, dialect: Dialect): Sql {
  const selects = targets.map(({ view, by }) => {
    const column = by === 'id' ? sql`t.doc_id` : sql`t.slug_folded`
    return sql`select ${columns} from ${listOf(namedBy(by, values), dialect)} ${dialect.joinInOrder} documents t
      on ${column} = i.value and ${isShown(view, 't')}`
  })
  return joined(selects, ' union all ')
}

function pointsNowhere({ name, targets }: Pick<NamedTargets, 'targets'> & { readonly name: string }, row: Sql): Sql {
  return sql`not exists (
    select 1 from entries x join documents t on t.doc_id = x.text and ${isTarget(targets, 't')}
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
  const { column } = condition
  const name = quotedName(`d.${COLUMNS[column]}`)
  const key = (bound: string) => (column === 'title' ? titleKey(bound) : column === 'slug' ? foldText(bound) : bound)
  return within(condition, (bound) => [name, key(String(bound))])
}

/**
 * The condition that documents use the document `d`, by references of these names, or the file of its attachment by
 * one of their own. The documents that are referred to are found once; few share a file, so others are looked up by it.
 */
function isUsed(references: readonly ReferenceName[], dialect: Dialect): Sql {
  const named = (kind: ReferenceName['kind']) => {
    const rows = references
      .filter((one) => one.kind === kind)
      .map(({ isOfArchived, name, ...scope }) => {
        return [indexScopeKey(scope), name, isOfArchived ? 1 : 0]
      })
    return rows.length === 0 ? null : dialect.table('r', { scope: 'text', name: 'text', archived: 'integer' }, rows)
  }
  const isOfName = sql`e.scope = r.scope and e.name = r.name and (r.archived = 1 or (e.state & ${literal(ARCHIVED)}) = 0)`
  const [documents, files] = [named('document'), named('attachment')]
  const byReference =
    documents &&
    sql`d.doc_id in (select e.text from ${documents}
    ${dialect.joinInOrder} entries e on ${isOfName} and e.kind = 'document')`
  const byFile =
    files &&
    sql`exists (select 1 from entries f
    ${dialect.joinInOrder} entries e on e.kind = 'attachment' and e.text = f.text and e.document <> f.document
    ${dialect.joinInOrder} documents u on u.n = e.document and u.doc_id <> d.doc_id
    ${dialect.joinInOrder} ${files} on ${isOfName}
    where f.document = d.n and f.name = 'attachment' and f.kind = 'attachment')`
  const ways = [byReference, byFile].flatMap((way) => way ?? [])
  return ways.length === 0 ? sql`false` : sql`(${joined(ways, ' or ')})`
}

/** Which column a bound is compared with, and as what. */
type Compared = (bound: number | string) => readonly [column: Sql, value: number | string]

/** The condition that something lies within bounds. */
function within({ min, max, above, below }: Bounds<number | string>, compared: Compared): Sql {
  const is = (operator: Sql, bound: number | string | undefined) => {
    if (bound === undefined) return false
    const [column, value] = compared(bound)
    return sql`${column} ${operator} ${value}`
  }
  return allOf(is(sql`>=`, min), is(sql`<=`, max), is(sql`>`, above), is(sql`<`, below))
}

type InLocale = Extract<Condition, { readonly kind: 'missingIn' | 'outdatedIn' }>

/** When the document `d` was saved in another locale: its draft, where it has one. */
function translationOf({ locale, isOfArchived }: InLocale): Sql {
  return sql`select t.updated_at from documents t
    where t.doc_id = d.doc_id and t.locale = ${locale} and t.archived <= ${literal(isOfArchived ? 1 : 0)}
    order by t.mode limit 1`
}

/** The condition that the document `d` was published after it was last saved in another locale. */
function isOutdated(condition: InLocale): Sql {
  const published = sql`select max(s.last_published_at) from documents s
    where s.doc_id = d.doc_id and s.locale = d.locale`
  return sql`d.locale <> ${condition.locale} and (${translationOf(condition)}) < (${published})`
}
