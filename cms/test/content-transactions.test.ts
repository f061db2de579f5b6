import { defineSite, html, page, piece } from 'quire-cms'
import { expect, it, onTestFinished } from 'vitest'
import type { Context } from '../src/engine/context.ts'
import { describeService } from './service.ts'

const topic = piece('topic', { fields: { add: { uses: { type: 'integer', def: 0 } } } })
const held: { ctx?: Context; outer?: () => Promise<unknown> } = {}
const article = piece('article', {
  fields: { add: { note: { type: 'string', max: 20 }, _topics: { type: 'relationship', withType: 'topic' } } },
  hooks: {
    beforeSave: async (document, event, ctx) => {
      if (event.reason !== 'inserted' || event.id.mode !== 'draft') return
      held.ctx = ctx
      await held.outer?.()
      const content = ctx.as<typeof shape>({ role: 'editor', name: 'Counter' })
      for (const id of document.topicsIds) {
        const found = await content.findOne('topic', id)
        await content.patch('topic', id, { uses: (found?.uses ?? 0) + 1 })
      }
    },
  },
})
const landing = page('landing')
const articles = page('articles', { piecesType: 'article', index: { render: () => html`<p></p>` } })
const shape = defineSite({ types: [topic] })
const site = defineSite({ types: [topic, article, landing, articles] })

const ENDED = 'This transaction has ended: its content takes no more operations.'
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describeService('§6.5 transactions of content in process', { site }, (service) => {
  const editor = () => service.app.context({ kind: 'anonymous' }).as<typeof site>({ role: 'editor', name: 'Import' })

  it('§6.5 operations that are begun at once run one after another', async () => {
    const content = editor()
    await content.transaction((content) =>
      Promise.all(
        numbers(8).map((n) =>
          content.insert('landing', { title: `Page ${n}`, _targetId: '_home', _position: 'firstChild' }),
        ),
      ),
    )
    const { _children: pages } = await content.tree({ all: true })
    expect(pages?.map(({ title, rank }) => [title, rank])).toEqual(numbers(8).map((rank) => [`Page ${7 - rank}`, rank]))
  })

  it('§4.1 a list takes as many statements in a transaction, however long it is', async () => {
    const content = editor()
    await content.insert('articles', { title: 'Articles', _targetId: '_home', _position: 'lastChild' })
    for (const n of numbers(12)) {
      const { aposDocId } = await content.insert('topic', { title: `Of ${n}` })
      await content.insert('article', { title: `Listed ${n}`, topicsIds: [aposDocId] })
    }
    const cost = (perPage: number) =>
      content.transaction(async (content) => {
        const before = service.statements.length
        const { results } = await content.find('article', { perPage, sort: 'title' })
        expect(results.flatMap(({ _topics: topics }) => topics)).toHaveLength(perPage)
        return service.statements.length - before
      })
    await service.quiet()
    expect(await cost(12)).toBe(await cost(2))
  })

  it('§6.5 operations of a transaction inside of another, and of hooks, run among those around them', async () => {
    const content = editor()
    const { aposDocId } = await content.insert('topic', { title: 'Nested' })
    await content.transaction((outer) =>
      Promise.all([
        outer.insert('article', { title: 'One', topicsIds: [aposDocId] }),
        outer.transaction(async (inner) => {
          await inner.insert('article', { title: 'Two', topicsIds: [aposDocId] })
          await outer.insert('article', { title: 'Three', topicsIds: [aposDocId] })
        }),
      ]),
    )
    expect((await content.findOne('topic', aposDocId))?.uses).toBe(3)
  })

  it('§6.5 a hook that uses the content around its operation is told that it would wait for itself', async () => {
    onTestFinished(() => {
      delete held.outer
    })
    const work = editor().transaction((content) => {
      held.outer = () => content.count('topic')
      return content.insert('article', { title: 'Waits for its own hook' })
    })
    await expect(work).rejects.toThrow('In a hook, use ctx.as(…) of the hook.')
    expect(await editor().count('article', { title: 'Waits for its own hook' })).toBe(0)
  })

  it('§6.5 nothing of what was begun beside a failure is stored', async () => {
    const content = editor()
    const work = content.transaction((content) =>
      Promise.all([
        content.insert('topic', { title: 'Beside 1' }),
        content.insert('topic', { title: '' }),
        content.insert('topic', { title: 'Beside 2' }),
      ]),
    )
    await expect(work).rejects.toMatchObject({ name: 'invalid' })
    // On the same connections: nothing of the transaction may be under way on them.
    for (const n of numbers(4)) await content.transaction((content) => content.insert('topic', { title: `After ${n}` }))
    expect(await content.count('topic', { search: 'beside' })).toBe(0)
  })

  it('§6.5 what was begun and not waited for is part of the transaction', async () => {
    const content = editor()
    await content.transaction(async (content) => {
      void content.insert('topic', { title: 'Not waited for' })
    })
    expect(await content.count('topic', { title: 'Not waited for' })).toBe(1)
    const failing = content.transaction(async (content) => {
      await content.insert('topic', { title: 'With a failure' })
      void content.insert('topic', { title: '' }).catch(() => {})
    })
    await expect(failing).rejects.toMatchObject({ name: 'invalid' })
    expect(await content.count('topic', { title: 'With a failure' })).toBe(0)
  })

  it('§6.5 content of a transaction that has ended takes no more operations', async () => {
    const content = editor()
    const ended = await content.transaction(async (content) => [content])
    await expect(ended[0]?.insert('topic', { title: 'Late' })).rejects.toThrow(ENDED)
    await expect(ended[0]?.find('topic')).rejects.toThrow(ENDED)
    await service.editor.post('article', { title: 'Holds its context' })
    await expect(held.ctx?.as(held.ctx.actor).find('topic')).rejects.toThrow(ENDED)
    expect(await content.count('topic', { title: 'Late' })).toBe(0)
  })

  it('§6.5 what a transaction has read by its id stays as it is until its end', async () => {
    const content = editor()
    const { _id } = await content.insert('topic', { title: 'Counted' })
    const vote = () =>
      content.transaction(async (content) => {
        const found = await content.findOne('topic', _id)
        await content.patch('topic', _id, { uses: (found?.uses ?? 0) + 1 })
      })
    const topicsIds = [_id.split(':')[0] ?? '']
    const save = (n: number) => service.editor.post('article', { title: `Uses ${n}`, topicsIds })
    await Promise.all([...numbers(12).map(vote), ...numbers(12).map(save)])
    expect((await content.findOne('topic', _id))?.uses).toBe(24)
    const home = await content.tree()
    const rename = () =>
      content.transaction(async (content) => {
        const found = await content.findOne('@cms/home-page', home._id)
        await content.patch('@cms/home-page', home._id, { title: `${found?.title}+` })
      })
    await Promise.all(numbers(8).map(rename))
    expect((await content.tree()).title).toBe(`${home.title}${'+'.repeat(8)}`)
  })

  it('§6.5 an id is a string', async () => {
    const content = editor()
    await content.insert('topic', { title: 'Any' })
    for (const id of [undefined, null, 5] as unknown as string[]) {
      await expect(content.findOne('topic', id)).rejects.toThrow(TypeError)
      await expect(content.patch('topic', id, { title: 'x' })).rejects.toThrow(TypeError)
      await expect(content.remove('landing', id)).rejects.toThrow(TypeError)
    }
  })
})
