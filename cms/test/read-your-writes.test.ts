import { describe, expect, onTestFinished, test } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { createApp } from '../src/app.ts'
import { testDatabases } from './databases.ts'

const KEYS = [{ key: 'key-editor', role: 'editor', name: 'editor' }] as const
const HEADERS = { authorization: 'ApiKey key-editor', 'content-type': 'application/json' }

describe.each(testDatabases)('§0.7 two processes on $name', (databases) => {
  /** Two services on one database, and an article that both of them have cached. */
  async function started() {
    const database = await databases.createReady()
    onTestFinished(() => database.drop())
    const addresses: string[] = []
    for (const _ of [1, 2]) {
      const options = { database: database.url, keys: KEYS }
      const app = await createApp(referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' }), options)
      onTestFinished(() => app.close())
      addresses.push(`${await app.listen(0, '127.0.0.1')}/api/v1/article`)
    }
    const [one = '', other = ''] = addresses
    const made = await fetch(one, { method: 'POST', headers: HEADERS, body: JSON.stringify({ title: 'Title 0' }) })
    const { aposDocId } = (await made.json()) as { aposDocId: string }
    return { write: `${one}/${aposDocId}`, read: `${other}/${aposDocId}` }
  }

  const patch = async (url: string, title: string) => {
    const answer = await fetch(url, { method: 'PATCH', headers: HEADERS, body: JSON.stringify({ title }) })
    expect(answer.status).toBe(200)
    return answer
  }
  const titleAt = async (url: string, headers: Record<string, string> = {}) =>
    ((await (await fetch(url, { headers })).json()) as { title: string }).title

  test('§0.7 whoever sends Quire-Revision back reads what was written by the other process', async () => {
    const { write, read } = await started()
    for (let round = 1; round <= 40; round += 1) {
      await titleAt(read)
      const revision = (await patch(write, `Title ${round}`)).headers.get('quire-revision') ?? ''
      expect(revision).not.toBe('')
      expect(await titleAt(read, { 'quire-revision': revision })).toBe(`Title ${round}`)
      // What was caught up with holds for all who come later.
      expect(await titleAt(read)).toBe(`Title ${round}`)
    }
  })

  test('§0.7 without it a write shows in the other process soon', async () => {
    const { write, read } = await started()
    for (let round = 1; round <= 20; round += 1) {
      await titleAt(read)
      await patch(write, `Title ${round}`)
      await expect.poll(() => titleAt(read), { interval: 1 }).toBe(`Title ${round}`)
    }
  })

  test('§0.7 a revision that nobody has named, and answers to reads', async () => {
    const { read } = await started()
    for (const revision of ['', 'x', 'x'.repeat(5_000)]) {
      expect(await titleAt(read, { 'quire-revision': revision })).toBe('Title 0')
    }
    expect((await fetch(read)).headers.get('quire-revision')).toBeNull()
  })
})
