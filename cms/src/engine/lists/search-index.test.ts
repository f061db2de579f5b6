import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rowsOf } from '../../../test/consistency.ts'
import { type TestDatabase, testDatabases } from '../../../test/databases.ts'
import { type App, createApp } from '../../app.ts'
import { defineSite } from '../../model/compile/site.ts'
import { piece } from '../../model/declared/content-type.ts'
import type { Context } from '../context.ts'
import { insert } from '../operations/insert.ts'
import { write } from '../write.ts'
import { reindex } from './reindex.ts'
import { refreshSearch } from './search-index.ts'

const site = defineSite({ types: [piece('note', { publicApiProjection: ['title'] })] })

describe.each(testDatabases)('§4.1 the search index on $name', ({ create, name }) => {
  let database: TestDatabase
  let app: App
  let address: string | null = null
  let logged: object[] = []
  let statements: string[] = []
  beforeEach(async () => {
    ;[address, logged, statements] = [null, [], []]
    database = await create()
    const log = { info: () => {}, warn: () => {}, error: (data: object) => void logged.push(data) }
    // Nothing is indexed but by these tests.
    const options = { log, onStatement: (sql: string) => statements.push(sql), isInBackground: () => false }
    app = await createApp(site, { database: database.url, ...options })
  })
  afterEach(async () => {
    await app.close()
    await database.drop()
  })

  const operator = () => app.context({ kind: 'operator' })

  async function add(...titles: string[]): Promise<void> {
    const type = app.site.types.get('note')
    if (!type) throw new Error('The site has no notes.')
    await write(operator(), async (ctx) => {
      for (const title of titles) await insert(ctx, { type, locale: 'en', mode: 'published' }, { title })
    })
  }

  async function total(query: string): Promise<number> {
    address ??= await app.listen(0, '127.0.0.1')
    const response = await fetch(`${address}/api/v1/note?${query}`)
    expect(response.status).toBe(200)
    const { total } = (await response.json()) as { total: number }
    return total
  }

  const unindexed = expect.objectContaining({ id: expect.stringMatching(/^[0-9a-z]{26}:en:/) })

  test('a document whose words cannot be made is logged and found by nothing; all others are found', async () => {
    await add('Marmalade one', 'Broken marmalade', 'Marmalade two')
    await rowsOf(database.url, [
      `update contents set body = replace(body, '"title":"Broken marmalade"', '"title":{}')`,
      `update documents set search_stale = 1`,
    ])
    await refreshSearch(operator())
    expect(await app.store.documents.unsearched(0, 10)).toEqual([])
    expect(logged).toContainEqual(unindexed)
    expect(await total('search=marmalade')).toBe(2)
  })

  /** Returns a value that changes whenever the index is written. */
  async function written(): Promise<unknown> {
    const statement =
      name === 'SQLite'
        ? 'select hex(block) as state from search_data where id = 10'
        : `select string_agg(xmin::text, ' ' order by document) as state from search`
    return rowsOf(database.url, [statement])
  }

  test('words that are indexed already are not written again, but those of a rebuilt index are', async () => {
    await add('Marmalade one', 'Marmalade two')
    await refreshSearch(operator())
    const before = await written()
    await rowsOf(database.url, ['update documents set search_stale = 1'])
    await refreshSearch(operator())
    expect(await app.store.documents.unsearched(0, 10)).toEqual([])
    expect(await written()).toEqual(before)
    await rowsOf(database.url, [
      `update documents set search_stale = 1, visibility = 'loginRequired' where title = 'Marmalade one'`,
    ])
    await refreshSearch(operator())
    expect(await written()).not.toEqual(before)
    await rowsOf(database.url, ['delete from search'])
    await reindex(operator(), () => {})
    expect(await total('search=marmalade')).toBe(1)
  })

  /** Returns the statements that search the index, or match documents by their words. */
  const looks = () => statements.filter((sql) => /from search where|d\.n in \(select i\.value from/.test(sql))
  const titles = Array.from({ length: 20 }, (_, index) => `Marmalade ${index}`)

  test('words that were made for the index serve the searches that follow, too', async () => {
    await add('Marmalade one', 'Marmalade two')
    expect(await total('search=marmalade')).toBe(2)
    await add(...titles)
    await refreshSearch(operator())
    statements = []
    expect(await total('search=marmalade')).toBe(22)
    expect(looks()).toEqual([])
  })

  test('what another process has indexed is read from the index, and not from the documents', async () => {
    await add('Marmalade one', 'Marmalade two')
    expect(await total('search=marmalade')).toBe(2)
    await add(...titles)
    const other = await createApp(site, { database: database.url, isInBackground: () => false })
    await refreshSearch(other.context({ kind: 'operator' }))
    await other.close()
    await refreshSearch(operator())
    statements = []
    expect(await total('search=marmalade')).toBe(22)
    // The word, and the same in titles: all of them have it there as written.
    const read = expect.stringContaining('from search where')
    expect(looks()).toEqual([read, read])
  })

  test.runIf(name === 'SQLite')('what many passes have written is merged', async () => {
    for (let pass = 0; pass < 30; pass += 1) {
      await add(`Marmalade ${pass}`)
      await refreshSearch(operator())
    }
    const [rows] = await rowsOf(database.url, ['select distinct segid from search_idx'])
    // Eight of one pass each are merged; without that, there are up to 16.
    expect(rows?.length).toBeLessThan(12)
    expect(await app.store.transaction((tx) => tx.documents.mergeSearchWords())).toBe(false)
    expect(await total('search=marmalade')).toBe(30)
  })

  // SQLite refuses no words, whatever they are.
  test.runIf(name === 'PostgreSQL')('words that the database refuses stop no others', async () => {
    await add('Marmalade one', 'Broken marmalade', 'Marmalade two')
    await rowsOf(database.url, [
      `create function refuse() returns trigger language plpgsql as $$ begin
        if new.words @@ 'broken'::tsquery then raise exception 'refused'; end if;
        return new;
      end $$`,
      'create trigger refuse before insert or update on search for each row execute function refuse()',
      `update documents set search_stale = 1`,
    ])
    await refreshSearch(operator())
    expect(await app.store.documents.unsearched(0, 10)).toEqual([])
    expect(logged).toContainEqual(unindexed)
    expect(await total('search=marmalade')).toBe(2)
  })

  // SQLite locks no documents, only all that is written.
  test.runIf(name === 'PostgreSQL').each([
    ['an index that is brought up to date', refreshSearch],
    ['an index that is rebuilt', (ctx: Context) => reindex(ctx, () => {})],
  ])('%s waits for a document that a transaction has locked, and lets others be locked meanwhile', async (_, work) => {
    await add('Marmalade one', 'Marmalade two', 'Marmalade three')
    const locker = new Client({ connectionString: database.url })
    await locker.connect()
    await locker.query(`begin; select * from documents where title = 'Marmalade two' for update`)
    // On a machine that has much to do it may wait too long.
    const working = work(operator()).catch(() => {})
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await rowsOf(database.url, [waiting]))[0]).toHaveLength(1)
    await rowsOf(database.url, [`select n from documents where title <> 'Marmalade two' for update nowait`])
    await locker.end()
    await working
    await work(operator())
    expect(await app.store.documents.unsearched(0, 10)).toEqual([])
    expect(await total('search=marmalade')).toBe(3)
  })

  test.runIf(name === 'SQLite')('more than one batch is found while the index cannot be written', async () => {
    await add(...Array.from({ length: 150 }, (_, index) => `Note ${index}`))
    await rowsOf(database.url, ['delete from search', 'update documents set search_stale = 1'])
    const other = new DatabaseSync(database.url.slice('sqlite:'.length))
    other.exec('begin immediate')
    const found = await total('search=note')
    other.exec('rollback')
    other.close()
    expect(found).toBe(150)
  })

  // Reading from a server takes turns by itself.
  test.runIf(name === 'SQLite')('other requests get on between two documents', async () => {
    const titles = Array.from({ length: 150 }, (_, index) => `Note ${index}`)
    await add(...titles)
    await rowsOf(database.url, [`update documents set search_stale = 1`])
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await refreshSearch(operator())
    isDone = true
    expect(turns).toBeGreaterThanOrEqual(titles.length)
  })
})
