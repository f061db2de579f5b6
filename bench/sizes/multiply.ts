import { Client } from 'pg'
import { HASH_LENGTH } from '../../cms/src/store/database/stored-content.ts'
import { samplesOf } from './load-kernel.ts'

/** Copy `k` of an id, of a time, and of a title in a body. What does not end in `k` stays as it is. */
const FUNCTIONS = `
  create function copied(id text, k integer) returns text immutable language sql
    return lpad(k::text, 3, '0') || substr(id, 4);
  create function earlier(at text, k integer) returns text immutable language sql
    return to_char((at::timestamptz - k * interval '7 hours') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  create function retitled(body text, k integer) returns text immutable language sql
    return regexp_replace(body, '^\\{"title":"([^"]*)"', '{"title":"\\1 ' || k || '"');
  create function hashed(body text) returns text immutable language sql
    return left(translate(encode(sha256(convert_to(body, 'UTF8')), 'base64'), '+/', '-_'), ${HASH_LENGTH})`

/** What is copied, as it is now: articles, other pieces, and the pages below the last page of the top. */
const BASE = `
  create table base_places as
    select p.*, t.path as top from places p join places t on t.doc_id = :last and t.locale = 'en'
    where p.locale = 'en' and p.path > t.path || '/' and p.path < t.path || '0';
  create table base_documents as select d.* from documents d
    where d.type = 'article' or d.type like 'kind%' or d.doc_id in (select b.doc_id from base_places b) order by d.n;
  create table base_contents as select c.* from contents c where c.n in (select b.content from base_documents b) order by c.n;
  create table base_entries as select e.* from entries e where e.document in (select b.n from base_documents b);
  create table base_search as select s.* from search s where s.document in (select b.n from base_documents b);
  create table base_versions as select v.* from versions v where v.content in (select b.n from base_contents b);
  create table strides as
    select (select max(n) + 1 from documents) as document, (select max(n) + 1 from contents) as content`

const slugOf = (column: string) => `replace(b.${column}, :lastSlug || '/', :targetSlug || '/') || '-' || :k`

/** The columns of each table that differ in copy `:k`, whose pages are below the page `:target`. */
const CHANGED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  documents: {
    n: 'b.n + :k * s.document',
    doc_id: 'copied(b.doc_id, :k)',
    content: 'b.content + :k * s.content',
    ...Object.fromEntries(['title', 'title_folded', 'title_sort'].map((name) => [name, `b.${name} || ' ' || :k`])),
    slug: slugOf('slug'),
    slug_folded: slugOf('slug_folded'),
    ...Object.fromEntries(
      ['created_at', 'updated_at', 'last_published_at'].map((name) => [name, `earlier(b.${name}, :k)`]),
    ),
    bytes: `b.bytes + length(' ' || :k)`,
  },
  contents: {
    n: 'b.n + :k * s.content',
    doc_id: 'copied(b.doc_id, :k)',
    hash: 'hashed(retitled(b.body, :k))',
    body: 'retitled(b.body, :k)',
  },
  entries: { document: 'b.document + :k * s.document' },
  search: {
    document: 'b.document + :k * s.document',
    words: `b.words || array_to_tsvector(array[:k::text, '_' || :k])`,
  },
  versions: {
    id: 'copied(b.id, :k)',
    doc_id: 'copied(b.doc_id, :k)',
    content: 'b.content + :k * s.content',
    slug: slugOf('slug'),
    created_at: 'earlier(b.created_at, :k)',
  },
  places: {
    doc_id: 'copied(b.doc_id, :k)',
    parent: 'case when b.parent = :last then :target else copied(b.parent, :k) end',
    path: `(select t.path from places t where t.doc_id = :target and t.locale = 'en') ||
      regexp_replace(substr(b.path, length(b.top) + 1), '/...', '/' || lpad(:k::text, 3, '0'), 'g')`,
  },
}

/** Pages of the top that have no pages below them begin here. */
const FIRST_TARGET = 10

/** Makes a database `times` as large by copying what was loaded into it; tables side by side, indexes afterwards. */
export async function multiply(database: string, samplesFile: string, times: number): Promise<void> {
  const main = await connected(database)
  const { top } = await samplesOf(samplesFile)
  const targets = top.slice(FIRST_TARGET)
  const last = targets.at(-1) ?? ''
  const slugs = await slugsOf(main, targets)
  await main.query(FUNCTIONS)
  await main.query(filled(BASE, { last }))
  const indexes = await droppedIndexes(main)
  const copies = Array.from({ length: times - 1 }, (_, index) => {
    const target = targets[index] ?? last
    return { k: index + 1, last, target, lastSlug: slugs.get(last) ?? '', targetSlug: slugs.get(target) ?? '' }
  })
  await Promise.all(Object.keys(CHANGED).map((table) => copyTable(database, table, copies)))
  await main.query(`drop table base_places, base_documents, base_contents, base_entries, base_search, base_versions, strides;
    drop function copied, earlier, retitled, hashed`)
  for (const table of ['documents', 'contents']) {
    await main.query(`select setval(pg_get_serial_sequence('${table}', 'n'), (select max(n) from ${table}))`)
  }
  const waiting = indexes.values()
  const builder = async () => {
    const client = await connected(database)
    for (const index of waiting) await client.query(index)
    await client.end()
  }
  await Promise.all([builder(), builder()])
  await main.query('vacuum analyze')
  await main.end()
}

type Values = Readonly<Record<string, string | number>>

async function copyTable(database: string, table: string, copies: readonly Values[]): Promise<void> {
  const client = await connected(database)
  // Tables are filled side by side: what one refers to may come later in another.
  await client.query('set session_replication_role = replica')
  const { rows } = await client.query(
    'select column_name as name from information_schema.columns where table_name = $1 order by ordinal_position',
    [table],
  )
  const names: string[] = rows.map(({ name }) => name)
  const cells = names.map((name) => CHANGED[table]?.[name] ?? `b.${name}`)
  const statement = `insert into ${table} (${names.join(', ')}) overriding system value
    select ${cells.join(', ')} from base_${table} b${table === 'places' ? '' : ', strides s'}`
  const started = performance.now()
  for (const copy of copies) await client.query(filled(statement, copy))
  console.error(`  ${table} in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  await client.end()
}

/** Puts values in the place of their names. */
function filled(text: string, values: Values): string {
  return text.replace(/(?<!:):([a-zA-Z]+)/g, (_, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? String(value) : `'${value}'`
  })
}

/** Drops all indexes but those of primary keys; answers the statements that make them again. */
async function droppedIndexes(main: Client): Promise<string[]> {
  const { rows } = await main.query(
    `select indexname as name, indexdef as text from pg_indexes
     where schemaname = 'public' and tablename = any($1) and indexname !~ 'pkey'`,
    [Object.keys(CHANGED)],
  )
  for (const { name } of rows) await main.query(`drop index ${name}`)
  return rows.map(({ text }) => text)
}

async function slugsOf(main: Client, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await main.query('select doc_id as id, slug from documents where doc_id = any($1)', [ids])
  return new Map(rows.map(({ id, slug }) => [id, slug]))
}

async function connected(database: string): Promise<Client> {
  const client = new Client({ connectionString: database })
  await client.connect()
  return client
}
