import { codeOf } from '../../base/thrown.ts'
import type { ColumnType, Dialect, Hits, SearchRow } from '../database/connection.ts'
import { type Cell, joined, literal, quotedName, type Sql, sql } from '../database/sql.ts'
import { HASH_LENGTH } from '../database/stored-content.ts'
import { moveFences } from './postgres-fence.ts'

const ARRAYS: Readonly<Record<ColumnType, Sql>> = {
  text: sql`text[]`,
  number: sql`double precision[]`,
  integer: sql`bigint[]`,
}

/** PostgreSQL's dialect. */
export const postgresDialect: Dialect = {
  table: (alias, columns, rows) => {
    const arrays = Object.values(columns).map((type, index) => {
      const column = rows.map((row) => row[index] ?? null)
      return sql`${column}::${ARRAYS[type]}`
    })
    return sql`unnest(${joined(arrays)}) as ${quotedName(alias)} (${joined(Object.keys(columns).map((name) => quotedName(name)))})`
  },
  oneOf,
  rowsIn: (text) => sql`unnest(${text}::bigint[]) as i (value)`,
  rowsText: (rows) => `{${rows.join(',')}}`,
  jsonList: (expression, where = sql`true`) => sql`cast(json_agg(${expression}) filter (where ${where}) as text)`,
  jsonOf: (expressions) => sql`json_build_array(${joined(expressions)})`,
  withoutNames: (json, names) => members(json, sql`m.name <> all(${[...names]}::text[])`),
  contentHash: (text) => sql`left(translate(
    encode(sha256(convert_to(${text}, 'UTF8')), 'base64'), '+/', '-_'), ${literal(HASH_LENGTH)})`,
  textIn: (json, name) => sql`cast(${members(json, sql`m.name = ${name}`)} as json) ->> ${name}`,
  joinInOrder: sql`inner join`,
  joinEach: (table, id, chosen) =>
    sql`cross join lateral (${chosen}) each_row(row_id) join ${table} on ${id} = each_row.row_id`,
  unindexed: (expression) => expression,
  forUpdate: sql`for update`,
  forUpdateOfFree: sql`for update skip locked`,
  hasWaited: true,
  words: {
    rowNumber: sql`bigint generated always as identity primary key`,
    rowReference: sql`bigint`,
    text: sql`text collate "C"`,
    number: sql`double precision`,
    bytes: sql`bytea`,
  },
  isDuplicate: (error) => codeOf(error) === '23505',
  moveFences,
  metaRow: sql`select 1 from pg_class where oid = to_regclass('meta')`,
  extras: [
    sql`create function quire_documents_changed() returns trigger language plpgsql as $$
      begin
        perform pg_notify('quire_documents', current_setting('application_name'));
        return null;
      end $$`,
    sql`create trigger documents_changed after insert or delete or update of revision on documents
      for each statement execute function quire_documents_changed()`,
  ],
  copying: {
    ownTables: ['search', 'secrets', 'spellings'],
    withoutTimeouts: [sql`set local statement_timeout = 0`, sql`set local idle_in_transaction_session_timeout = 0`],
    reading: {
      open: (rows) => [sql`declare copied_rows no scroll cursor for select ${rows}`],
      next: (_rows, _after, count) => sql`fetch forward ${literal(count)} from copied_rows`,
      close: [sql`close copied_rows`],
    },
    hexOf: (bytes) => sql`encode(${bytes}, 'hex')`,
    bytesOf: (hex) => sql`decode(${hex}, 'hex')`,
    withRowNumbers: sql`overriding system value`,
    lastRowNumber: (table, column) =>
      sql`select pg_sequence_last_value(pg_get_serial_sequence(${table}, ${column})::regclass) as last`,
    setLastRowNumber: (table, column, last) => [
      sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${last})`,
    ],
  },
  changes: [],
  countsAsContent: (table, column) => [
    sql`create trigger ${quotedName(`${table}_changed`)} after update of ${quotedName(column)} on ${quotedName(table)}
      for each statement execute function quire_documents_changed()`,
  ],
  search: {
    tables: [
      sql`create table search (document bigint primary key, words tsvector not null)`,
      sql`create index search_words on search using gin (words) with (fastupdate = on, gin_pending_list_limit = 16384)`,
    ],
    row: sql`search.document`,
    where: (hits) => sql`search.words @@ ${hitsQuery(hits)}::tsquery`,
    part: () => null,
    hashes: [],
    merging: [],
    put: putWords,
    forget: () => [],
    remove: (numbers) => [sql`delete from search where ${oneOf(sql`document`, numbers, 'integer')}`],
    merge: sql`select gin_clean_pending_list('search_words')`,
    changedRows: sql`select 0 as count`,
  },
}

/** Stand for backslashes while JSON is parsed, which refuses what it cannot decode; no text has them in this order. */
const [PAIR, ESCAPE] = [sql`chr(64976) || chr(64977)`, sql`chr(64978) || chr(64979)`]

/** The members of an object, stored as JSON without spaces, that a condition on their name `m.name` chooses. */
function members(json: Sql, condition: Sql): Sql {
  const parsed = sql`replace(replace(${json}, '\\\\', ${PAIR}), '\\u', ${ESCAPE})::json`
  return sql`(select replace(replace(
      '{' || coalesce(string_agg(to_json(m.name)::text || ':' || m.value::text, ',' order by m.at), '') || '}',
      ${ESCAPE}, '\\u'), ${PAIR}, '\\\\')
    from json_each(${parsed}) with ordinality m (name, value, at) where ${condition})`
}

function oneOf(expression: Sql, values: readonly Cell[], type: ColumnType): Sql {
  if (values.length === 1) return sql`${expression} = ${values[0]}`
  return sql`${expression} = any(${values}::${ARRAYS[type]})`
}

/** Scope and state are a word of each document, which begins with a space: no word of a text does. */
function hitsQuery({ scope, states, search }: Hits): string {
  const places = states.map((state) => quoted(` ${scope.type}:${scope.locale}:${scope.mode}:${state}`))
  const last = search.words.length - 1
  const words = search.words.map((forms, index) => {
    const end = search.isPrefix && index === last ? ':*' : ''
    return `(${forms.map((form) => quoted(form) + end).join(' | ')})`
  })
  const isPossible = search.words.length > 0 && search.words.every((forms) => forms.length > 0)
  return isPossible ? [`(${places.join(' | ')})`, ...words].join(' & ') : ''
}

/**
 * The index first collects the words in a list; `merge` then adds all at once: several times faster. Draft and
 * published copy mostly have the same words, which are sent once.
 */
function putWords(rows: readonly SearchRow[]): readonly Sql[] {
  const texts = [...new Set(rows.map(({ words }) => words))]
  const numbers = new Map(texts.map((text, number) => [text, number]))
  const vectors = postgresDialect.table(
    'v',
    { number: 'integer', words: 'text' },
    texts.map((text, number) => [number, vectorOf(text)]),
  )
  const documents = postgresDialect.table(
    'w',
    { n: 'integer', number: 'integer' },
    rows.map(({ row, words }) => [row, numbers.get(words) ?? null]),
  )
  const scopeWord = sql`' ' || d.type || ':' || d.locale || ':' || d.mode || ':' ||
    (d.archived * 2 + (d.visibility = 'loginRequired')::integer)`
  return [
    sql`with vectors as materialized (select v.number, v.words::tsvector as words from ${vectors})
      insert into search (document, words)
      select d.n, vectors.words || array_to_tsvector(array[${scopeWord}])
      from ${documents} join vectors on vectors.number = w.number join documents d on d.n = w.n
      on conflict (document) do update set words = excluded.words where search.words <> excluded.words`,
  ]
}

/** Words in the text form of a `tsvector`. */
function vectorOf(text: string): string {
  const words = new Set(text.split(' '))
  words.delete('')
  if (words.size === 0) return ''
  return /['\\]/.test(text) ? Array.from(words, quoted).join(' ') : `'${[...words].join("' '")}'`
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
