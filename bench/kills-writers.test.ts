import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createApp } from '../cms/src/app.ts'
import { rowsOf } from '../cms/test/consistency.ts'
import { Dice } from '../cms/test/dice.ts'
import { SERVING_KEYS } from '../cms/test/serving.ts'
import { temporaryFolder } from '../cms/test/temporary-folder.ts'
import { site } from './kills-site.ts'
import { Writers } from './kills-writers.ts'

let writers: Writers
let file = ''

beforeAll(async () => {
  const folder = await temporaryFolder('quire-writers')
  file = join(folder, 'site.db')
  const keys = [{ name: 'Editor', key: SERVING_KEYS.editor, role: 'editor' }] as const
  const app = await createApp(site, { database: `sqlite:${file}`, uploads: join(folder, 'uploads'), keys })
  const address = await app.listen(0, '127.0.0.1')
  writers = new Writers('Test', () => [address])
  const writing = [1, 2].map((seed) => writers.write(seed, new Dice(seed)))
  await vi.waitUntil(() => writers.counts.answered > 150, { timeout: 60_000 })
  await writers.pause()
  expect(writers.counts.others).toEqual([])
  expect(await writers.lostFiles(address)).toEqual([])
  writers.stop()
  await Promise.all(writing)
  await app.close()
})

afterAll(() => writers.stop())

/** What is wrong in a copy of the database after some statements. */
async function wrongAfter(...statements: readonly string[]): Promise<string[]> {
  const copy = `${file}.copy`
  await copyFile(file, copy)
  await rowsOf(`sqlite:${copy}`, statements)
  return writers.wrongIn(`sqlite:${copy}`)
}

const one = (mode: string) =>
  `(select max(n) from documents where type = 'article' and mode = '${mode}' and archived = 0)`

test('writers find nothing wrong where nothing is lost', async () => {
  expect(await wrongAfter()).toEqual([])
})

test.each([
  ['a lost draft', `delete from documents where n = ${one('draft')}`, 'its draft is lost'],
  ['a lost published copy', `delete from documents where n = ${one('published')}`, 'its published is lost'],
  ['a lost archiving', `update documents set archived = 1 - archived where n = ${one('published')}`, 'archived is'],
  [
    'a lost change',
    `update contents set body = replace(body, '"count":', '"former":') where doc_id in (select doc_id from documents where type = 'article')`,
    'answered were',
  ],
  [
    'a lost move',
    `update places set parent = 'another' where doc_id in (select doc_id from documents where type = 'chapter')`,
    'is below',
  ],
  [
    'a document that was inserted twice',
    `update documents set title = (select title from documents where n = ${one('published')}) where type = 'article'`,
    'is there twice',
  ],
])('writers find %s', async (_what, statement, found) => {
  expect(await wrongAfter(statement)).toContainEqual(expect.stringContaining(found))
})
