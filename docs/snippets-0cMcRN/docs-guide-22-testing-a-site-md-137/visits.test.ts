import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KEY, testService } from './service.ts'

test('a visitor finds a book and reads it', async (t) => {
  const { content, address } = await testService(t)
  await content.insert('book', { title: 'Moss & stone', text: 'It does not hurry.' })
  const list = await (await fetch(`${address}/books`)).text()
  assert.match(list, /<a href="\/books\/moss-stone">Moss &amp; stone<\/a>/)
  const shown = await (await fetch(`${address}/books/moss-stone`)).text()
  assert.match(shown, /<p>4 words<\/p>/)
  assert.equal((await fetch(`${address}/books/eels`)).status, 404)
})

test('anybody votes, and sees no votes; an editor does', async (t) => {
  const { content, address } = await testService(t)
  const { aposDocId } = await content.insert('book', { title: 'Moss' })
  const vote = (stars: number) =>
    fetch(`${address}/api/v1/book/${aposDocId}/vote`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ stars }),
    })
  assert.deepEqual(await (await vote(4)).json(), { votes: 4 })
  const refused = await vote(6)
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /"path":\s*"stars"/)
  const read = async (headers: Record<string, string>) => (await fetch(`${address}/api/v1/book/${aposDocId}`, { headers })).text()
  assert.doesNotMatch(await read({}), /votes/)
  assert.match(await read({ Authorization: `Bearer ${KEY}` }), /"votes":\s*4/)
})
