import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'

/** The wrong fields of an answer: `links.0.label required`. */
function wrong({ status, body }: Answer): string[] {
  expect([status, body.name]).toEqual([400, 'invalid'])
  return body.data.errors.map(({ path, name }: { path: string; name: string }) => `${path} ${name}`).sort()
}

describeService('§4.1 POST', { isLong: true }, (service) => {
  it('§3 makes the draft and the published copy, and answers the published one', async () => {
    const { status, body } = await service.editor.post('article', { title: 'First of all' })
    expect(status).toBe(200)
    expect(body._id).toBe(`${body.aposDocId}:en:published`)
    expect(body.aposDocId).toMatch(/^[0-9a-z]{26}$/)
    expect(body).toMatchObject({
      aposLocale: 'en:published',
      aposMode: 'published',
      type: 'article',
      metaType: 'doc',
      slug: 'first-of-all',
      visibility: 'public',
      archived: false,
      updatedBy: { firstName: '', lastName: '', username: null, title: 'editor key' },
      _edit: true,
      _create: true,
      _publish: true,
      _delete: true,
    })
    expect(Object.keys(body.updatedBy).sort()).toEqual(['_id', 'firstName', 'lastName', 'title', 'username'])
    expect(body.lastPublishedAt).toBe(body.createdAt)
    const draft = await service.editor.get(`article/${body.aposDocId}:en:draft`)
    expect(draft.body).toMatchObject({ title: 'First of all', modified: false, lastPublishedAt: body.lastPublishedAt })
  })

  it('§3 with aposMode=draft makes only the draft', async () => {
    const { body } = await service.contributor.post('article', { title: 'Only a draft' }, 'aposMode=draft')
    expect(body).toMatchObject({ aposMode: 'draft', lastPublishedAt: null, modified: true })
    expect(body._publish).toBeUndefined()
    expect((await service.editor.get(`article/${body.aposDocId}`)).status).toBe(404)
  })

  it('§4.1 goes to the locale of the query', async () => {
    const { body } = await service.editor.post('article', { title: 'Premier' }, 'aposLocale=fr')
    expect(body.aposLocale).toBe('fr:published')
    expect((await service.editor.get(`article/${body.aposDocId}`)).status).toBe(404)
    expect(wrongName(await service.editor.post('article', { title: 'x' }, 'aposLocale=xx'))).toBe('invalid')
    expect(wrongName(await service.editor.post('article', { title: 'x' }, 'aposMode=live'))).toBe('invalid')
  })

  it.each([
    ['anonymous', 401, 401],
    ['guest', 403, 403],
    ['contributor', 403, 200],
    ['editor', 200, 200],
  ] as const)('§5.2 %s gets %i for published and %i for a draft', async (role, published, draft) => {
    const body = { title: `By ${role}` }
    expect((await service[role].post('article', body)).status).toBe(published)
    expect((await service[role].post('article', body, 'aposMode=draft')).status).toBe(draft)
    expect((await service.wrong.post('article', body)).status).toBe(401)
  })

  it('§5.2 a new document is archived in all its copies, by those who may archive', async () => {
    const body = { title: 'Put away', archived: true }
    expect((await service.contributor.post('article', body, 'aposMode=draft')).status).toBe(403)
    const { aposDocId, slug } = (await service.editor.post('article', body)).body
    for (const mode of ['draft', 'published']) {
      const read = await service.editor.get(`article/${aposDocId}:en:${mode}`, 'archived=true')
      expect(read.body).toMatchObject({ title: 'Put away', archived: true })
    }
    expect((await service.editor.post('article', { title: 'Taken again', slug })).body.slug).toBe(slug)
  })

  it('§2.11 gives what is left out its default or a blank value, at every depth', async () => {
    const links = [{ label: 'One' }]
    const { body } = await service.editor.post('article', { title: 'Blank', links })
    expect(body).toMatchObject({ subtitle: '', count: 7, rating: null, featured: false, eventDate: null, level: 'low' })
    expect(body).toMatchObject({
      tags: [],
      size: 50,
      spacing: { top: null },
      topicsIds: [],
      _topics: [],
      download: null,
    })
    expect(body.address).toMatchObject({ metaType: 'object', city: '', zip: null })
    expect(body.links[0]).toMatchObject({ metaType: 'arrayItem', label: 'One', href: null, n: null })
    expect(body.links[0]._id).toMatch(/^[0-9a-z]{26}$/)
    expect(body.body).toMatchObject({ metaType: 'area', items: [] })
  })

  it('§0.2 reports all wrong fields at once, new items by their index and given ids by id', async () => {
    const answer = await service.editor.post('article', {
      title: ' ',
      subtitle: 'x'.repeat(81),
      count: 1001,
      rating: -1,
      eventDate: '2026-02-30',
      link: 'javascript:alert(1)',
      contact: 'nobody',
      level: 'middle',
      tags: ['red', 'pink'],
      visibility: 'secret',
      links: [{ label: '' }, { _id: 'mine', n: 'x' }, { label: 7 }],
      address: 'Main Street',
      body: { items: [{ type: 'promo' }, { type: 'unknown' }] },
      _topics: [{ _id: 'no-such-topic' }],
    })
    expect(wrong(answer)).toEqual([
      '_topics invalid',
      'address invalid',
      'body.0.heading required',
      'body.1 invalid',
      'contact invalid',
      'count max',
      'eventDate invalid',
      'level invalid',
      'link invalid',
      'links.0.label required',
      'links.2.label invalid',
      'links.mine.label required',
      'links.mine.n invalid',
      'rating min',
      'subtitle max',
      'tags.1 invalid',
      'title required',
      'visibility invalid',
    ])
  })

  it('§0.4 ignores unknown properties and those that begin with an underscore', async () => {
    const body = { title: 'Ignores', nonsense: 1, _nonsense: {}, _edit: false, _url: '/x', $set: 1, __proto: 1 }
    const answer = await service.editor.post('article', body)
    expect(answer.status).toBe(200)
    expect(answer.body.nonsense).toBeUndefined()
    expect(answer.body._edit).toBe(true)
  })

  it('§2.1 system properties in a body have no effect', async () => {
    const system = {
      _id: 'mine:en:published',
      aposDocId: 'mine',
      createdAt: '2001-01-01T00:00:00.000Z',
      updatedAt: '2001-01-01T00:00:00.000Z',
      updatedBy: { title: 'Somebody' },
      lastPublishedAt: '2001-01-01T00:00:00.000Z',
      modified: true,
      type: 'topic',
      metaType: 'widget',
      aposLocale: 'fr:draft',
      copyOfId: 'x',
    }
    const { body } = await service.editor.post('article', { title: 'System', ...system })
    for (const [name, value] of Object.entries(system)) expect({ [name]: body[name] }).not.toEqual({ [name]: value })
    const patched = await service.editor.patch(`article/${body._id}`, { ...system, title: 'System 2' })
    const replaced = await service.editor.put(`article/${body._id}`, { ...system, title: 'System 3' })
    for (const { body: answer } of [patched, replaced]) {
      const { _id, aposDocId, createdAt, type, metaType, aposLocale, lastPublishedAt } = answer
      expect({ _id, aposDocId, createdAt, type, metaType, aposLocale }).toEqual({
        _id: body._id,
        aposDocId: body.aposDocId,
        createdAt: body.createdAt,
        type: 'article',
        metaType: 'doc',
        aposLocale: 'en:published',
      })
      expect(lastPublishedAt >= body.lastPublishedAt).toBe(true)
      expect(answer.copyOfId).toBeUndefined()
    }
  })

  describe('§2.15 relationships', () => {
    let topic: string
    let other: string
    beforeAll(async () => {
      topic = (await service.editor.post('topic', { title: 'Here' })).body.aposDocId
      other = (await service.editor.post('topic', { title: 'There' })).body.aposDocId
    })

    it('takes objects, full ids, bare ids and lists of ids, in order and once each', async () => {
      const forms = [
        { _topics: [{ _id: `${other}:en:published` }, { _id: topic }] },
        { _topics: [other, `${topic}:en:draft`, other] },
        { topicsIds: [other, topic] },
        { topicsIds: [`${other}:en:published`, topic], topicsFields: {} },
        { _topics: [{ _id: other }, { _id: topic }], topicsIds: ['wins-not'] },
      ]
      for (const form of forms) {
        const { body } = await service.editor.post('article', { title: 'Related', ...form })
        expect(body.topicsIds).toEqual([other, topic])
        expect(body._topics.map((one: { title: string }) => one.title)).toEqual(['There', 'Here'])
      }
    })

    it('refuses unknown ids and those of other types in documents, and drops them from ids', async () => {
      const article = (await service.editor.post('article', { title: 'No topic' })).body.aposDocId
      for (const id of ['unknown', article]) {
        expect(wrong(await service.editor.post('article', { title: 'x', _topics: [{ _id: id }] }))).toEqual([
          '_topics invalid',
        ])
        const { body } = await service.editor.post('article', { title: 'x', topicsIds: [id, topic] })
        expect(body.topicsIds).toEqual([topic])
      }
    })

    it('keeps values of the relationship itself', async () => {
      const related = (await service.editor.post('article', { title: 'Related' })).body
      const _related = [{ _id: related._id, _fields: { why: 'Because', unknown: 1 } }]
      const { body } = await service.editor.post('article', { title: 'Relating', _related })
      expect(body.relatedFields).toEqual({ [related.aposDocId]: { why: 'Because' } })
      expect(body._related[0]._fields).toEqual({ why: 'Because' })
    })

    it('refuses more than max', async () => {
      expect(wrong(await service.editor.post('article', { title: 'x', imageIds: ['a', 'b'] }))).toEqual(['_image max'])
    })

    it('keeps ids of documents that are not in this locale, and does not populate them', async () => {
      const { body } = await service.editor.post('article', { title: 'x', _topics: [{ _id: topic }] }, 'aposLocale=fr')
      expect([body.topicsIds, body._topics]).toEqual([[topic], []])
    })

    it('drops a deleted document on the next save, and keeps an archived one', async () => {
      const gone = (await service.editor.post('topic', { title: 'Gone' })).body
      const kept = (await service.editor.post('topic', { title: 'Kept' })).body
      const { body } = await service.editor.post('article', { title: 'x', _topics: [gone, kept] })
      await service.editor.patch(`topic/${kept._id}`, { archived: true })
      await service.editor.delete(`topic/${gone._id}`)
      const read = await service.editor.get(`article/${body._id}`)
      expect(read.body._topics).toEqual([])
      const saved = await service.editor.patch(`article/${body._id}`, { title: 'y' })
      expect(saved.body.topicsIds).toEqual([kept.aposDocId])
    })
  })

  describe('§2.12 slugs', () => {
    const slugOf = async (body: object, query?: string, type = 'topic') => {
      return (await service.editor.post(type, body, query)).body.slug
    }

    it('are made from the title in any script, and numbered when taken', async () => {
      expect(await slugOf({ title: 'Crème Brûlée & Co.' })).toBe('crème-brûlée-co')
      expect(await slugOf({ title: 'Привет, Мир' })).toBe('привет-мир')
      expect(await slugOf({ title: '日本語 の' })).toBe('日本語-の')
      expect(await slugOf({ title: 'Same' })).toBe('same')
      expect(await slugOf({ title: 'Same' })).toBe('same-2')
      expect(await slugOf({ title: 'SAME', slug: '' })).toBe('same-3')
      expect(await slugOf({ title: '!?', slug: null })).toBe('none')
    })

    it('are cleaned when given, and refused when another document has them', async () => {
      expect(await slugOf({ title: 'Given', slug: ' My Own Slug ' })).toBe('my-own-slug')
      const taken = await service.editor.post('topic', { title: 'Given', slug: 'my-own-slug' })
      expect([taken.status, taken.body.name]).toEqual([409, 'conflict'])
      expect(taken.body.data.errors).toMatchObject([{ path: 'slug', name: 'unique' }])
      expect(wrong(await service.editor.post('topic', { title: 'x', slug: '???' }))).toEqual(['slug invalid'])
      expect(wrong(await service.editor.post('topic', { title: 'x', slug: 'a'.repeat(201) }))).toEqual(['slug max'])
    })

    it('are at most 200 characters, their number included', async () => {
      const title = 'long '.repeat(60).trim()
      const [first, second] = [await slugOf({ title }), await slugOf({ title })]
      expect(first).toHaveLength(199)
      expect(second).toMatch(/-2$/)
      expect(second.length).toBeLessThanOrEqual(200)
    })

    it('are unique for each locale, mode and type', async () => {
      const title = 'Each its own'
      expect(await slugOf({ title })).toBe('each-its-own')
      expect(await slugOf({ title }, 'aposLocale=fr')).toBe('each-its-own')
      expect(await slugOf({ title }, '', 'article')).toBe('each-its-own')
      expect(await slugOf({ title }, 'aposMode=draft')).toBe('each-its-own-2')
      expect(await slugOf({ title }, 'aposMode=draft&aposLocale=de')).toBe('each-its-own')
    })

    it('have the prefix of their type, once', async () => {
      expect(await slugOf({ title: 'Prefixed' }, '', 'draftless')).toBe('auto-prefixed')
      expect(await slugOf({ title: 'x', slug: 'given' }, '', 'draftless')).toBe('auto-given')
      expect(await slugOf({ title: 'x', slug: 'auto-twice' }, '', 'draftless')).toBe('auto-twice')
    })
  })

  describe('§4.1 _copyingId', () => {
    it('takes the fields of another piece as defaults, with new ids, a new slug, and no archived state', async () => {
      const topic = (await service.editor.post('topic', { title: 'Copied along' })).body
      const original = (
        await service.editor.post('article', {
          title: 'Original',
          slug: 'the-original',
          subtitle: 'Sub',
          count: 9,
          links: [{ label: 'One', n: 1 }],
          address: { city: 'Bern' },
          body: { items: [{ type: 'promo', heading: 'Hi', _topics: [topic], items: [{ text: 'deep' }] }] },
          _topics: [topic],
        })
      ).body
      const answer = await service.editor.post('article', { _copyingId: original._id, subtitle: 'Other' })
      const copy = answer.body
      expect(copy).toMatchObject({ title: 'Original', slug: 'original', subtitle: 'Other', count: 9 })
      expect(copy).toMatchObject({ copyOfId: original._id, topicsIds: [topic.aposDocId], address: { city: 'Bern' } })
      expect(copy.body.items[0]).toMatchObject({ heading: 'Hi', topicsIds: [topic.aposDocId] })
      expect(copy.body.items[0].items[0].text).toBe('deep')
      const idsOf = ({ links, address, body }: typeof copy) => {
        return [links[0]._id, address._id, body._id, body.items[0]._id, body.items[0].items[0]._id]
      }
      expect(new Set([...idsOf(copy), ...idsOf(original)]).size).toBe(10)
      const draft = await service.editor.get(`article/${copy.aposDocId}:en:draft`)
      expect(idsOf(draft.body)).toEqual(idsOf(copy))
      const again = await service.editor.post('article', { _copyingId: original.aposDocId, title: 'Original' })
      expect(again.body.slug).toBe('original-2')
    })

    it('lets the body override relationships in either form, and drops deleted documents', async () => {
      const [one, two] = [
        (await service.editor.post('topic', { title: 'One' })).body,
        (await service.editor.post('topic', { title: 'Two' })).body,
      ]
      const original = (await service.editor.post('article', { title: 'Copy me', _topics: [one] })).body
      const copying = { _copyingId: original._id }
      expect((await service.editor.post('article', { ...copying, topicsIds: [two._id] })).body.topicsIds).toEqual([
        two.aposDocId,
      ])
      expect((await service.editor.post('article', { ...copying, _topics: [] })).body.topicsIds).toEqual([])
      await service.editor.delete(`topic/${one._id}`)
      const copy = await service.editor.post('article', copying)
      expect([copy.status, copy.body.topicsIds]).toEqual([200, []])
    })

    it('copies what the id names, in locale and mode, or the request', async () => {
      const french = (await service.editor.post('article', { title: 'Bonjour' }, 'aposLocale=fr')).body
      await service.editor.patch(`article/${french.aposDocId}:fr:draft`, { title: 'Bonsoir' })
      const titleOf = async (_copyingId: string, query = '') => {
        return (await service.editor.post('article', { _copyingId }, query)).body.title
      }
      expect(await titleOf(french._id)).toBe('Bonjour')
      expect(await titleOf(`${french.aposDocId}:fr:draft`)).toBe('Bonsoir')
      expect(await titleOf(french.aposDocId, 'aposLocale=fr')).toBe('Bonjour')
      expect(await titleOf(french.aposDocId, 'aposLocale=fr&aposMode=draft')).toBe('Bonsoir')
    })

    it('refuses ids of documents of other types', async () => {
      const topic = (await service.editor.post('topic', { title: 'A topic' })).body
      for (const _copyingId of ['unknown', 'a:b', topic._id]) {
        expect((await service.editor.post('article', { _copyingId, title: 'x' })).status).toBe(404)
      }
      expect(wrongName(await service.editor.post('article', { _copyingId: 7, title: 'x' }))).toBe('invalid')
    })

    it('§5.8 hidden fields are not copied for those who cannot see them', async () => {
      const note = 'for editors only'
      const product = { title: 'P', sku: 's', price: 1, color: 'red', secretNote: note }
      const { _id } = (await service.editor.post('product', product)).body
      const copy = async (role: 'editor' | 'contributor') => {
        const { body } = await service[role].post('product', { _copyingId: _id }, 'aposMode=draft')
        return (await service.editor.get(`product/${body._id}`)).body.secretNote
      }
      expect(await copy('editor')).toBe(note)
      expect(await copy('contributor')).toBe('')
    })
  })

  describe('types of other kinds', () => {
    it('§2.17 types without locales have plain ids, and no draft', async () => {
      const { body } = await service.editor.post('note', { title: 'Plain' }, 'aposMode=draft&aposLocale=fr')
      expect(body._id).toBe(body.aposDocId)
      const absent = ['aposMode', 'aposLocale', 'modified', 'lastPublishedAt']
      expect(absent.filter((name) => name in body)).toEqual([])
    })

    it('§2.17 autopublish publishes what an editor saves as a draft, and not what a contributor does', async () => {
      const published = async ({ body }: Answer) => (await service.editor.get(`draftless/${body.aposDocId}`)).status
      expect(await published(await service.editor.post('draftless', { title: 'E' }, 'aposMode=draft'))).toBe(200)
      expect(await published(await service.contributor.post('draftless', { title: 'C' }, 'aposMode=draft'))).toBe(404)
      expect((await service.contributor.post('draftless', { title: 'C' })).status).toBe(403)
    })

    it('§2.17 there is one document of a singleton, and no other', async () => {
      const { body } = await service.editor.post('@cms/global', { title: 'Second' })
      expect(body.name).toBe('invalid')
      expect((await service.contributor.post('@cms/global', {}, 'aposMode=draft')).status).toBe(403)
    })

    it('§3.8 a key of an AI writes drafts', async () => {
      const machine = service.ai
      expect((await machine.post('article', { title: 'By a machine' })).body.aposMode).toBe('draft')
    })
  })
})

const wrongName = ({ body }: Answer) => body.name

const site = defineSite({
  types: [
    piece('rule', {
      fields: {
        add: {
          kind: { type: 'select', choices: ['plain', 'long'], def: 'plain' },
          detail: { type: 'string', required: true, if: { kind: 'long' } },
          box: {
            type: 'object',
            if: { kind: 'long' },
            fields: {
              add: {
                mode: { type: 'string' },
                deep: { type: 'string', required: true, if: { mode: 'on' } },
                always: { type: 'string', required: true },
              },
            },
          },
          _links: { type: 'relationship', withType: 'rule', required: false, min: 1 },
          list: { type: 'array', min: 2, fields: { add: { def: { type: 'integer', def: 5 } } } },
          stamp: { type: 'string', readOnly: true, def: 'made' },
          password: { type: 'password' },
        },
      },
    }),
  ],
})

describeService('§2.11', { isLong: true, site }, (service) => {
  it.each([
    [{}, ['title required']],
    [{ title: 'x', kind: 'plain' }, []],
    [{ title: 'x', kind: 'long' }, ['box.always required', 'detail required']],
    [{ title: 'x', kind: 'long', detail: 'd', box: { mode: 'on', always: 'a' } }, ['box.deep required']],
    [{ title: 'x', kind: 'long', detail: 'd', box: { mode: 'off', always: 'a' } }, []],
    [{ title: 'x', list: [{}] }, ['list min']],
  ])('§2.11 %j lacks %j', async (body, expected) => {
    const answer = await service.editor.post('rule', body)
    expect(answer.status === 200 ? [] : wrong(answer)).toEqual(expected)
  })

  it('§2.16 a readOnly field is not written from outside', async () => {
    const { body } = await service.editor.post('rule', { title: 'x', stamp: 'forged' })
    expect(body.stamp).toBe('made')
    expect((await service.editor.patch(`rule/${body._id}`, { stamp: 'forged' })).body.stamp).toBe('made')
    expect((await service.editor.put(`rule/${body._id}`, { title: 'x', stamp: 'forged' })).body.stamp).toBe('made')
  })

  it('§4.1 _copyingId copies no secrets', async () => {
    const { body } = await service.editor.post('rule', { title: 'x', password: 'correct horse' })
    const copy = await service.editor.post('rule', { _copyingId: body._id })
    expect(copy.status).toBe(200)
    const id = { docId: copy.body.aposDocId, locale: 'en', mode: 'published' } as const
    expect((await service.app.store.documents.get(id))?.fields).toMatchObject({ password: null })
  })
})
