import { expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece, widget } from '../../model/declared/content-type.ts'
import { openValues } from '../../model/terms/document.ts'
import { write } from '../write.ts'
import { insertMany } from './insert.ts'

const site = defineSite({
  types: [
    piece('topic'),
    piece('story', {
      fields: {
        add: {
          main: { type: 'area', widgets: { quote: {} } },
          code: { type: 'string', unique: true },
          _topics: { type: 'relationship', withType: 'topic' },
        },
      },
    }),
  ],
  widgets: [widget('quote', { fields: { add: { words: { type: 'string' } } } })],
})

describeService('§4.1 many documents made together', { site }, (service) => {
  const makeMany = (bodies: readonly object[]) => {
    const ctx = service.app.context({ kind: 'operator' })
    const type = ctx.site.types.get('story')
    if (type === undefined) throw new Error('The site has no stories.')
    const documents = bodies.map((body) => ({ docId: newId(), body: { ...body } }))
    return write(ctx, (ctx) => insertMany(ctx, { type, locale: 'en', mode: 'published' }, documents))
  }
  const story = (title: string, more: object = {}) => {
    const items = [1, 2].map((number) => ({ metaType: 'widget', type: 'quote', words: `${title} ${number}` }))
    return { title, main: { metaType: 'area', items }, ...more }
  }
  const total = async () => (await service.admin.get('story')).body.total

  it('are each as a POST makes it: copies, a version, items with ids of their own', async () => {
    const topic = (await service.admin.post('topic', { title: 'Topic' })).body.aposDocId
    const made = await makeMany(['One', 'Two', 'Two'].map((title) => story(title, { topicsIds: [topic] })))
    expect(made.map((one) => openValues(one).slug)).toEqual(['one', 'two', 'two-2'])
    const ids = new Set<string>()
    for (const { id } of made) {
      const { body } = await service.admin.get(`story/${id.docId}`)
      expect(body).toMatchObject({ aposMode: 'published', _topics: [{ title: 'Topic' }] })
      for (const { _id } of body.main.items) ids.add(_id)
      const draft = await service.admin.get(`story/${id.docId}:en:draft`)
      const itemIds = body.main.items.map(({ _id }: { _id: string }) => ({ _id }))
      expect(draft.body).toMatchObject({ modified: false, main: { items: itemIds } })
      const { results } = (await service.admin.get('@cms/document-versions', `docId=${id.docId}`)).body
      expect(results).toHaveLength(1)
    }
    expect(ids.size).toBe(6)
  })

  it('take the same number of statements, however many they are', async () => {
    const statements = async (count: number) => {
      await service.quiet()
      const before = service.statements.length
      await makeMany(Array.from({ length: count }, () => story(`Story ${newId()}`)))
      return service.statements.slice(before).filter((one) => !/search/.test(one)).length
    }
    const few = await statements(3)
    expect(await statements(150)).toBe(few)
  })

  it('are all refused where one of them is', async () => {
    const before = await total()
    await expect(makeMany([story('Good'), story('')])).rejects.toMatchObject({ name: 'invalid' })
    await expect(makeMany([story('A', { code: 'x' }), story('B', { code: 'x' })])).rejects.toMatchObject({
      name: 'conflict',
    })
    expect(await total()).toBe(before)
  })
})
