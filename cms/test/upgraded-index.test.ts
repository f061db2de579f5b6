import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { compileSite } from '../src/model/compile/site.ts'
import { type Caller, callerOf } from './caller.ts'
import { quire } from './command.ts'
import { inconsistencies } from './consistency.ts'
import { type TestDatabases, testDatabases } from './databases.ts'
import { usesSite } from './released/uses-site.ts'

// released/0024.db.gz is a database of an earlier program, by whose index nothing of this was found.

const RELEASED = fileURLToPath(new URL('./released/0024.db.gz', import.meta.url))

async function run(args: readonly string[], database: string, folder: string): Promise<void> {
  const variables = { QUIRE_DATABASE: database, QUIRE_UPLOADS: join(folder, 'uploads') }
  const { code, out, err } = await quire(folder, args, variables)
  expect(code === 0 ? '' : out + err).toBe('')
}

/** The database of the earlier program, in a database of a kind: its address. */
async function earlierDatabase(databases: TestDatabases, folder: string): Promise<string> {
  const path = join(folder, 'earlier.db')
  await writeFile(path, gunzipSync(await readFile(RELEASED)))
  if (databases.name === 'SQLite') return `sqlite:${path}`
  const database = await databases.create()
  onTestFinished(() => database.drop())
  await run(['backup', join(folder, 'earlier.backup')], `sqlite:${path}`, folder)
  await run(['restore', join(folder, 'earlier.backup')], database.url, folder)
  return database.url
}

describe.each(testDatabases)('the index of an earlier program on $name', { timeout: 60_000 }, (databases) => {
  test('is rebuilt at the start, which the log tells, and all filters find what they should', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-index-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const database = await earlierDatabase(databases, folder)
    const said: string[] = []
    const keys = [{ role: 'editor', key: 'key-editor', name: 'editor' }] as const
    const note = (_data: object, message: string) => void said.push(message)
    const log = { info: note, warn: note, error: note }
    const app = await createApp(usesSite, { database, uploads: join(folder, 'uploads'), keys, log })
    onTestFinished(() => app.close())
    const editor = callerOf(await app.listen(0, '127.0.0.1'), 'key-editor', null)
    expect(said).toContain('The index was rebuilt.')
    for (const [path, query, expected] of FOUND) {
      expect([path, query, await titlesOf(editor, path, query)]).toEqual([path, query, expected])
    }
    expect(await usersOf(editor, 'topic', 'Used')).toEqual(['In a text', 'Inside', 'Top again'])
    expect(await usersOf(editor, '@cms/image', 'Small')).toEqual(['In a text'])
    expect(await inconsistencies(database, compileSite(usesSite))).toEqual([])
  })
})

const FOUND = [
  ['@cms/image', 'isUsed=true', ['Large', 'Small']],
  ['@cms/image', 'isUsed=false', ['Free']],
  ['@cms/image', 'hasAlt=true', ['Large']],
  ['@cms/image', 'hasAlt=false', ['Free', 'Small']],
  ['@cms/image', 'extension=png', ['Small']],
  ['@cms/image', 'minWidth=300', ['Free', 'Large']],
  ['@cms/image', 'minHeight=300', ['Large', 'Small']],
  ['note', 'missingIn=fr', ['Changed', 'In a text']],
  ['note', 'aposMode=draft&missingIn=fr', ['Changed again', 'In a text', 'Inside']],
  ['note', 'outdatedIn=fr', ['Top again']],
  ['note', 'state=draft', ['Inside']],
  ['note', 'state=modified', ['Changed again']],
  ['note', 'publishAt[$exists]=true', ['Inside']],
  ['note', 'archiveAt[min]=2100-01-01', ['In a text']],
  ['note', 'publishAt[$exists]=false', ['Changed again', 'In a text', 'Top again']],
  ['@cms/documents', 'archiveAt[$exists]=true', ['In a text']],
] as const

async function titlesOf(caller: Caller, path: string, query: string): Promise<string[]> {
  const { status, body } = await caller.get(path, query)
  expect(status).toBe(200)
  return body.results.map(({ title }: { title: string }) => title).toSorted()
}

async function usersOf(caller: Caller, type: string, title: string): Promise<string[]> {
  const { body } = await caller.get(type, `title=${encodeURIComponent(title)}`)
  return titlesOf(caller, `${type}/${body.results[0].aposDocId}/used-by`, '')
}
