import { join } from 'node:path'
import { createApp, defineSite, type Feature, page, piece, route } from 'quire-cms'
import { describe, expect, it } from 'vitest'
import type { Context } from '../src/engine/context.ts'
import { makeUser } from './people.ts'
import { describeService } from './service.ts'
import { temporaryFolder } from './temporary-folder.ts'

const topic = piece('topic', { fields: { add: { uses: { type: 'integer', def: 0 } } } })

const article = piece('article', {
  fields: {
    add: {
      section: { type: 'select', choices: ['news', 'essay'] },
      note: { type: 'string', max: 20, required: true, def: 'n' },
      secret: { type: 'string', viewPermission: 'admin' },
      _topics: { type: 'relationship', withType: 'topic' },
      list: { type: 'array', fields: { add: { name: { type: 'string' } } } },
    },
  },
  hooks: {
    beforeSave: async (document, event, ctx) => {
      if (event.reason !== 'inserted' || event.id.mode !== 'draft') return
      if (document.note === 'counts') {
        const content = ctx.as<typeof shape>({ role: 'editor', name: 'Counter' })
        const [id = ''] = document.topicsIds
        const found = await content.findOne('topic', id)
        await content.patch('topic', id, { uses: (found?.uses ?? 0) + 1 })
        if (document.title === 'Refused') throw new Error('no')
      }
      if (document.note === 'swallows') {
        const content = ctx.as<typeof shape>({ role: 'editor', name: 'Counter' })
        await content.insert('topic', { title: 'Beside' })
        await content.insert('article', { title: 'x', note: 'x'.repeat(21) }).catch(() => {})
      }
    },
  },
})
const landing = page('landing', { fields: { add: { lead: { type: 'string' } } } })
const other = page('other')
const shape = defineSite({ types: [topic, piece('article', { fields: article.fields as never })] })

const saved: object[] = []
const desk: Feature = {
  name: 'desk',
  routes: () => [
    route({
      method: 'POST',
      path: '/api/v1/desk',
      summary: 'A round at the desk',
      tag: 'desk',
      operationId: 'desk.round',
      answer: { type: 'object' },
      handle: async (ctx) => ({ mine: await ctx.as(ctx.actor).count('article', { archived: 'any' }) }),
    }),
  ],
  hooks: {
    afterSave: ({ type, reason }, { actor }) => {
      if (type.name === 'topic') saved.push({ reason, by: 'name' in actor ? actor.name : actor.kind })
    },
  },
}

const site = defineSite({
  limits: { bodyBytes: 100_000 },
  locales: {
    en: { label: 'English' },
    fr: { label: 'Français', prefix: '/fr' },
    de: { label: 'D', prefix: '/de', private: true },
  },
  types: [topic, article, landing, other],
  features: [desk],
})

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ name, message }) => ({ name, message }),
  )

describeService('§6.5 content in process', { site }, (service) => {
  const as = (role: 'guest' | 'contributor' | 'editor' | 'admin') =>
    service.app.context({ kind: 'anonymous' }).as<typeof site>({ role, name: 'Import' })

  it('makes, reads, changes and removes pieces as the interface does, with versions by its name', async () => {
    const content = as('editor')
    const made = await content.insert('article', { title: 'First', section: 'news', list: [{ name: 'a' }] })
    expect(made).toMatchObject({ title: 'First', slug: 'first', section: 'news', aposMode: 'published' })
    expect((await service.editor.get(`article/${made.aposDocId}`)).body).toEqual(made)
    const patched = await content.patch('article', made._id, { 'list.0.name': 'b', $push: { list: { name: 'c' } } })
    expect(patched.list.map(({ name }) => name)).toEqual(['b', 'c'])
    const replaced = await content.replace('article', made._id, { title: 'Second', note: 'x' })
    expect(replaced).toMatchObject({ title: 'Second', section: null, list: [] })
    expect(await content.count('article', { title: 'Second' })).toBe(1)
    expect((await content.find('article', { title: 'Second' })).results[0]?._id).toBe(made._id)
    expect((await content.findOne('article', { title: 'Second' }))?._id).toBe(made._id)
    expect(await content.findOne('article', 'nothing')).toBeNull()
    expect((await content.unpublish('article', made._id)).aposMode).toBe('draft')
    expect(await content.findOne('article', made._id)).toBeNull()
    expect((await content.publish('article', made._id)).aposMode).toBe('published')
    expect((await content.archive('article', made._id)).archived).toBe(true)
    expect((await content.restore('article', made._id)).archived).toBe(false)
    expect(await content.localize('article', made._id, { toLocale: 'fr' })).toMatchObject({ aposLocale: 'fr:draft' })
    const french = service.app
      .context({ kind: 'anonymous' })
      .as<typeof site>({ role: 'editor', name: 'I' }, { locale: 'fr', mode: 'draft' })
    expect((await french.findOne('article', made.aposDocId))?.title).toBe('Second')
    const there = { aposLocale: 'fr', aposMode: 'draft' } as const
    expect((await content.find('article', there)).results.map(({ _id }) => _id)).toEqual([`${made.aposDocId}:fr:draft`])
    // @ts-expect-error: a locale with a mode
    expect(await content.count('article', { aposLocale: 'fr:draft' })).toBe(1)
    // @ts-expect-error: no mode
    await expect(content.find('article', { aposMode: 'other' })).rejects.toMatchObject({ name: 'invalid' })
    const { results } = (await service.editor.get('@cms/document-versions', `docId=${made.aposDocId}`)).body
    expect(results.every(({ author }: { author: string }) => author === 'Import')).toBe(true)
    await content.remove('article', made._id)
    expect(await content.count('article', { title: 'Second', archived: 'any' })).toBe(0)
  })

  it('makes many pieces at once, all or none', async () => {
    const content = as('editor')
    const made = await content.insertMany('topic', [{ title: 'M1' }, { title: 'M2' }])
    expect(made.map(({ slug }) => slug)).toEqual(['m1', 'm2'])
    const refused = content.insertMany('article', [{ title: 'Fine' }, { title: 'Bad', note: 'x'.repeat(21) }])
    expect(await failure(refused)).toMatchObject({ name: 'invalid' })
    expect(await content.count('article', { title: 'Fine' }, { mode: 'draft' })).toBe(0)
    const many = Array.from({ length: 501 }, () => ({ title: 'x' }))
    expect(await failure(content.insertMany('topic', many))).toMatchObject({ name: 'invalid' })
  })

  it('keeps pages in their tree', async () => {
    const content = as('editor')
    const at = { _targetId: '_home', _position: 'lastChild' } as const
    const one = await content.insert('landing', { title: 'One', lead: 'x', ...at })
    const below = await content.insert('other', { title: 'Two', ...at, _targetId: one._id })
    expect((await content.tree({ all: true }))._children?.[0]?._children?.[0]?._id).toBe(below._id)
    expect(await content.patch('landing', one._id, { lead: 'y' })).toMatchObject({ lead: 'y', type: 'landing' })
    expect((await content.findOne('@cms/page', '_home'))?.level).toBe(0)
    expect(await content.findOne('other', one._id)).toBeNull()
    expect(await failure(content.patch('other', one._id, { title: 'x' }))).toMatchObject({ name: 'notfound' })
    await content.archive('landing', one._id)
    expect((await content.tree())._children).toEqual([])
    expect((await content.restore('landing', one._id)).archived).toBe(false)
    expect((await content.tree())._children?.length).toBe(1)
    expect(await failure(content.unpublish('landing', one._id))).toMatchObject({ name: 'invalid' })
    await content.remove('@cms/page', below._id)
    await content.unpublish('landing', one._id)
    await content.remove('landing', one._id, { mode: 'draft' })
  })

  it('refuses as over HTTP: role, hidden fields, locales, bad values, limits', async () => {
    const made = await as('admin').insert('article', { title: 'Kept', secret: 's' })
    expect(await failure(as('contributor').publish('article', made._id))).toMatchObject({ name: 'forbidden' })
    expect(await failure(as('guest').insert('article', { title: 'x' }))).toMatchObject({ name: 'forbidden' })
    expect(await failure(as('guest').find('article'))).toMatchObject({ name: 'notfound' })
    expect(await failure(as('editor').find('@cms/user'))).toMatchObject({ name: 'forbidden' })
    expect(await as('editor').findOne('article', made._id)).not.toHaveProperty('secret')
    const ofNobody = service.app.context({ kind: 'anonymous' })
    const anonymous = ofNobody.as<typeof site>(ofNobody.actor)
    expect(await failure(anonymous.insert('article', { title: 'x' }))).toMatchObject({ name: 'unauthorized' })
    expect(await failure(anonymous.find('article', {}, { locale: 'de' }))).toMatchObject({ name: 'notfound' })
    // @ts-expect-error: no locale
    expect(await failure(as('editor').find('article', {}, { locale: 'xx' }))).toMatchObject({ name: 'invalid' })
    expect(await failure(as('editor').find('article', { perPage: 100_000 }))).toMatchObject({ name: 'invalid' })
    expect(await failure(as('editor').insert('article', { title: 'x'.repeat(100_000) }))).toMatchObject({
      name: 'toolarge',
    })
    expect(
      await failure(as('editor').insert('landing', { title: 'x', _targetId: 'no', _position: 'lastChild' })),
    ).toMatchObject({ name: 'notfound' })
    const { body } = await service.contributor.post('desk', {})
    expect(body.mine).toBe((await service.contributor.get('article', 'archived=any')).body.total)
  })

  it('acts as a user, who is looked up each time', async () => {
    const id = await makeUser(service.app, 'wanda', { role: 'contributor', title: 'Wanda' })
    const wanda = service.app.context({ kind: 'anonymous' }).as<typeof site>({ user: id })
    expect(await failure(wanda.insert('topic', { title: 'By Wanda' }))).toMatchObject({ name: 'forbidden' })
    expect((await wanda.insert('topic', { title: 'By Wanda' }, { mode: 'draft' })).title).toBe('By Wanda')
    await as('admin').patch('@cms/user', id, { role: 'editor' })
    expect((await wanda.insert('topic', { title: 'By Wanda' })).title).toBe('By Wanda')
    await as('admin').patch('@cms/user', id, { disabled: true })
    expect(await failure(wanda.find('topic'))).toMatchObject({ name: 'unauthorized' })
    const nobody = service.app.context({ kind: 'anonymous' }).as<typeof site>({ user: 'nobody' })
    expect(await failure(nobody.find('topic'))).toMatchObject({ name: 'unauthorized' })
  })

  it('shares nothing: what was given or answered may be changed afterwards', async () => {
    const content = as('editor')
    const given = { title: 'Given', list: [{ name: 'a' }] }
    const made = await content.insert('article', given)
    for (const list of [given.list, made.list]) Object.assign(list[0] ?? {}, { name: 'changed' })
    expect((await content.findOne('article', made._id))?.list[0]?.name).toBe('a')
    const home = await content.tree()
    home.title = 'Changed'
    expect((await content.tree()).title).not.toBe('Changed')
  })

  it('is part of the transaction that a hook runs in, and what follows has its own name', async () => {
    const content = as('editor')
    const { aposDocId } = await content.insert('topic', { title: 'Counted' })
    saved.length = 0
    const made = await service.editor.post('article', { title: 'Counts', note: 'counts', topicsIds: [aposDocId] })
    expect(made.status).toBe(200)
    expect((await content.findOne('topic', aposDocId))?.uses).toBe(1)
    await expect.poll(() => saved).toEqual(Array(2).fill({ reason: 'saved', by: 'Counter' }))
    const refused = await service.editor.post('article', { title: 'Refused', note: 'counts', topicsIds: [aposDocId] })
    expect(refused.status).toBe(500)
    expect((await content.findOne('topic', aposDocId))?.uses).toBe(1)
    expect((await service.editor.post('article', { title: 'S', note: 'swallows' })).status).toBe(400)
    expect(await content.count('topic', { title: 'Beside' })).toBe(0)
  })

  it('does several things in one transaction, all or none', async () => {
    const content = as('editor')
    const { aposDocId } = await content.insert('topic', { title: 'In one' })
    const raise = (by: number) =>
      content.transaction(async (content) => {
        const found = await content.findOne('topic', aposDocId)
        await content.patch('topic', aposDocId, { uses: (found?.uses ?? 0) + by })
        expect((await content.findOne('topic', aposDocId))?.uses).toBe((found?.uses ?? 0) + by)
        if (by > 1) throw new Error('too much')
      })
    await raise(1)
    await expect(raise(2)).rejects.toThrow('too much')
    expect((await content.findOne('topic', aposDocId))?.uses).toBe(1)
    await content.transaction(async (content) => {
      const { results } = await content.find('topic', { search: 'in one' })
      expect(results.length).toBe(1)
      for (const title of ['Same', 'Same', 'Same']) await content.insert('topic', { title })
    })
    expect(await content.count('topic', { slug: ['same', 'same-2', 'same-3'] })).toBe(3)
  })

  it('knows who acts', () => {
    const ctx = service.app.context({ kind: 'operator' })
    for (const nobody of [
      undefined,
      null,
      {},
      { role: 'boss', name: 'x' },
      { role: 'editor', name: ' ' },
      { user: '' },
    ]) {
      expect(() => ctx.as(nobody as never)).toThrow(TypeError)
    }
  })

  it('takes only locales and modes that there are, once for all or for each operation', async () => {
    const ctx = service.app.context({ kind: 'operator' })
    const editor = { role: 'editor', name: 'Import' } as const
    for (const place of [{ locale: 'xx' }, { locale: '' }, { mode: 'x' }, { mode: '' }]) {
      const refused = [
        ctx.as<typeof site>(editor, place as never).insert('article', { title: 'Nowhere' }),
        ctx.as<typeof site>(editor).insert('article', { title: 'Nowhere' }, place as never),
        ctx.as<typeof site>(editor, place as never).insertMany('article', [{ title: 'Nowhere' }]),
      ]
      for (const work of refused) expect([place, await failure(work)]).toMatchObject([place, { name: 'invalid' }])
    }
    const french = ctx.as<typeof site>(editor, { locale: 'fr', mode: 'draft' })
    expect(await french.insert('article', { title: 'Ici' })).toMatchObject({ aposLocale: 'fr:draft' })
    const found = await french.find('article', { title: 'Ici' }, { locale: 'en' })
    expect(found.total).toBe(0)
    expect(() => ctx.as(editor, 'fr' as never)).toThrow('as an object')
    const wrong = [as('editor').find('article', 'Ici' as never), as('editor').find('article', {}, 'fr' as never)]
    for (const work of wrong) await expect(work).rejects.toThrow('is an object, not string')
    await expect(as('editor').count('article', null as never)).rejects.toThrow('is an object, not null')
    await expect(as('editor').find('landing' as never)).rejects.toThrow('tree')
  })

  it('takes a query as JSON has it: without what is undefined, dates as texts', async () => {
    const content = as('editor')
    await content.insert('article', { title: 'Dated' })
    const nothing = { page: undefined, search: undefined, title: undefined, aposLocale: undefined, sort: undefined }
    expect(await content.count('article', nothing as never)).toBe(await content.count('article'))
    const [past, future] = [new Date(0), new Date(Date.now() + 3_600_000)]
    expect(await content.count('article', { title: 'Dated', createdAt: { min: past } } as never)).toBe(1)
    expect(await content.count('article', { title: 'Dated', createdAt: { min: future } } as never)).toBe(0)
  })
})

describe('§6.5 createApp of the package', () => {
  it('gives content of the site it was given', async () => {
    const app = await createApp(defineSite({ types: [topic], namespace: '@own' }), {
      database: join(await temporaryFolder('quire-content'), 'content.db'),
    })
    try {
      const content = app.as({ role: 'admin', name: 'Import' })
      expect((await content.insert('topic', { title: 'T', uses: 2 })).uses).toBe(2)
      expect((await content.find('@cms/image')).total).toBe(0)
      expect(await failure(content.find('nothing' as never))).toMatchObject({ name: 'TypeError' })
      const ctx: Context = app.context({ kind: 'operator' })
      expect(await failure(ctx.as(ctx.actor).findOne('artcle', 'x'))).toMatchObject({ name: 'TypeError' })
    } finally {
      await app.close()
    }
  })
})
