import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from './service.ts'

test('the words of a book are counted with each save', async (t) => {
  const { content } = await testService(t)
  const { _id, words } = await content.insert('book', { title: 'Moss', text: 'It does not hurry.' })
  assert.equal(words, 4)
  assert.equal((await content.patch('book', _id, { text: 'Slow.' })).words, 1)
  await assert.rejects(content.patch('book', _id, { text: 'x'.repeat(201) }), { name: 'invalid' })
})

test('contributors write drafts, which wait for an editor', async (t) => {
  const { app, content } = await testService(t)
  const contributor = app.as({ role: 'contributor', name: 'Ann' })
  await assert.rejects(contributor.insert('book', { title: 'Mine' }), { name: 'forbidden' })
  const { aposDocId } = await contributor.insert('book', { title: 'Mine' }, { mode: 'draft' })
  assert.equal(await content.count('book'), 0)
  await content.publish('book', aposDocId)
  assert.equal(await content.count('book'), 1)
})
