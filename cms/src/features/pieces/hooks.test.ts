import { beforeEach, expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { invalid } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { RemoveEvent, SaveEvent } from '../../engine/events.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'
import { openValues } from '../../model/terms/document.ts'
import type { Feature } from '../feature.ts'

/** The calls of the test site's hooks, and what they shall do, by the title of the document. */
const seen: { name: string; event: SaveEvent; fields: JsonObject }[] = []
const removed: RemoveEvent[] = []
const deeds: { [title: string]: (fields: JsonObject, event: SaveEvent) => void } = {
  add: (fields) => {
    fields.count = Number(fields.count) + 1
    fields.list = [...(fields.list as JsonObject[]), { text: ' made ' }]
  },
  refuse: () => {
    throw invalid('The hook refuses this.')
  },
  'refuse published': (_fields, { id }) => {
    if (id.mode === 'published') throw invalid('The hook refuses this.')
  },
  crash: () => {
    throw new TypeError('the hook is broken')
  },
  nonsense: (fields) => {
    Object.assign(fields, {
      unknown: 1,
      count: ' 12 ',
      list: [{ text: 'x', unknown: 2 }],
      slug: '',
      stamp: ' stamped ',
    })
  },
  wrong: (fields) => {
    fields.count = 'many'
  },
  password: (fields) => {
    fields.password = 'set by a hook'
  },
}

const feature: Feature = {
  name: 'listener',
  hooks: {
    beforeSave: (event) => {
      seen.push({ name: 'before', event, fields: structuredClone(event.fields) })
    },
    afterSave: (event) => {
      seen.push({ name: 'after', event, fields: structuredClone(event.fields) })
      if (event.fields.title === 'fail later') throw new Error('too late to refuse')
    },
    beforeRemove: (event) => {
      if (event.removed.some(({ fields }) => fields.title === 'stay')) throw invalid('This one stays.')
    },
    afterRemove: (event) => {
      removed.push(event)
    },
  },
}

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    piece('thing', {
      fields: {
        add: {
          count: { type: 'integer', def: 0, max: 100 },
          stamp: { type: 'string', readOnly: true },
          list: { type: 'array', fields: { add: { text: { type: 'string' } } } },
          password: { type: 'password' },
          keyed: { type: 'string', viewPermission: 'admin' },
        },
      },
      hooks: {
        beforeSave: (fields, event) => {
          // `as`: the declared shape is narrower than what these hooks try.
          deeds[fields.title]?.(fields as unknown as JsonObject, event)
        },
      },
    }),
  ],
  features: [feature],
})

describeService('§6 hooks of a site', { isLong: true, site }, (service) => {
  beforeEach(() => {
    seen.splice(0)
    removed.splice(0)
    service.logged.splice(0)
  })

  const make = async (title = 'plain', query = '') => (await service.editor.post('thing', { title }, query)).body
  const calls = () => seen.map(({ name, event }) => `${name} ${event.reason} ${event.id.mode}`)

  it('§6 run before the save for each copy, after the commit once more, and say what is happening', async () => {
    const { aposDocId } = await make()
    const both = (reason: string) =>
      ['before', 'after'].flatMap((name) => [`${name} ${reason} draft`, `${name} ${reason} published`])
    expect(calls()).toEqual(both('inserted'))
    expect(seen[0]?.event).toMatchObject({ before: null, copyOfId: null, type: { name: 'thing' } })
    seen.splice(0)
    await service.editor.patch(`thing/${aposDocId}:en:draft`, { count: 5 })
    expect(seen.map(({ event }) => event.before?.fields.count)).toEqual([0, 0])
    expect(calls()).toEqual(['before saved draft', 'after saved draft'])
    seen.splice(0)
    await service.editor.post(`thing/${aposDocId}/publish`)
    expect(calls()).toEqual(['before published published', 'after published published'])
    seen.splice(0)
    await service.editor.post(`thing/${aposDocId}/archive`)
    expect(calls()).toEqual(both('archived'))
    seen.splice(0)
    await service.editor.patch(`thing/${aposDocId}`, { archived: false })
    expect(calls()).toEqual(both('restored'))
    seen.splice(0)
    await service.editor.patch(`thing/${aposDocId}`, { count: 5 })
    expect(calls().filter((call) => call.startsWith('after'))).toEqual([])
    seen.splice(0)
    await service.editor.post(`thing/${aposDocId}/unpublish`)
    expect(calls()).toEqual(['before unpublished draft', 'after unpublished draft'])
  })

  it('§6 copyOfId is exposed when a document is copied', async () => {
    const { _id } = await make()
    seen.splice(0)
    await service.editor.post('thing', { _copyingId: _id })
    expect(seen.map(({ event }) => event.copyOfId)).toEqual([_id, _id, _id, _id])
  })

  it('§6 may change what is saved: once for each copy, with the same ids in both', async () => {
    const { aposDocId, count, list } = await make('add')
    expect([count, list.length, list[0].text]).toEqual([1, 1, 'made'])
    const draft = (await service.editor.get(`thing/${aposDocId}:en:draft`)).body
    expect([draft.count, draft.list[0]._id, draft.modified]).toEqual([1, list[0]._id, false])
    const published = await service.editor.post(`thing/${aposDocId}/publish`)
    expect(published.body.count).toBe(2)
    expect((await service.editor.get(`thing/${aposDocId}:en:draft`)).body).toMatchObject({ count: 1, modified: true })
  })

  it('§6 what a hook leaves is read like everything else', async () => {
    const { body, status } = await service.editor.post('thing', { title: 'nonsense', stamp: 'forged' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 12, list: [{ text: 'x' }], slug: 'nonsense', stamp: 'stamped' })
    expect(JSON.stringify(body)).not.toContain('unknown')
    const wrong = await service.editor.post('thing', { title: 'wrong' })
    expect(wrong.body.data.errors).toMatchObject([{ path: 'count', name: 'invalid' }])
  })

  it('§6 a secret that a hook sets is hashed too', async () => {
    const { aposDocId } = await make('password')
    const id = { docId: aposDocId, locale: 'en', mode: 'published' } as const
    const password = async () => {
      const document = await service.app.store.documents.get(id)
      return document && openValues(document).password
    }
    const stored = await password()
    expect(stored).toMatch(/^\$argon2id\$/)
    await service.editor.patch(`thing/${aposDocId}`, { title: 'plain' })
    expect(await password()).toBe(stored)
  })

  it.each(['refuse', 'refuse published', 'crash'])(
    '§6 a hook that throws (%s) leaves nothing behind',
    async (title) => {
      const status = title === 'crash' ? 500 : 400
      const total = async () => (await service.editor.get('thing', 'aposMode=draft&perPage=500')).body.total
      const before = await total()
      const refused = await service.editor.post('thing', { title, count: 3 })
      expect(refused.status).toBe(status)
      expect(refused.body.message).not.toContain('broken')
      expect(await total()).toBe(before)
      const { aposDocId } = await make()
      seen.splice(0)
      for (const mode of ['published', 'draft']) {
        const query = title === 'refuse published' ? '' : `aposMode=${mode}`
        expect((await service.editor.patch(`thing/${aposDocId}`, { title, count: 3 }, query)).status).toBe(status)
        expect((await service.editor.get(`thing/${aposDocId}:en:${mode}`)).body).toMatchObject({
          title: 'plain',
          count: 0,
        })
      }
      expect(calls().filter((call) => call.startsWith('after'))).toEqual([])
      expect(await service.app.store.versions.list({ docId: aposDocId, locale: 'en' }, { limit: 9 })).toHaveLength(1)
    },
  )

  it('§6 a failing afterSave is logged, and refuses nothing', async () => {
    const { status, body } = await service.editor.post('thing', { title: 'fail later' })
    expect(status).toBe(200)
    expect((await service.editor.get(`thing/${body._id}`)).status).toBe(200)
    expect(service.logged.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'error: A hook failed after its document was saved.',
      'error: A hook failed after its document was saved.',
    ])
  })

  it('§6 what is seen after the save is what was stored', async () => {
    const { aposDocId } = await make('plain')
    const { slug } = await make('plain')
    const after = seen.filter(({ name }) => name === 'after').map(({ fields }) => fields.slug)
    expect(after.slice(-2)).toEqual([slug, slug])
    expect((await service.editor.get(`thing/${aposDocId}`)).body.slug).not.toBe(slug)
  })

  it('§4.1 of many, one that crashes does not stop the others', async () => {
    const [first, second] = [await make(), await make()]
    await service.editor.patch(`thing/${first._id}`, { keyed: 'x' })
    for (const { aposDocId } of [first, second]) await service.editor.patch(`thing/${aposDocId}:en:draft`, { count: 1 })
    const crash = deeds.plain
    deeds.plain = (_fields, event) => {
      if (event.reason === 'published' && event.id.docId === first.aposDocId) throw new TypeError('broken')
    }
    const { body } = await service.editor.post('thing/publish', { _ids: [first._id, second._id] })
    if (crash) deeds.plain = crash
    else delete deeds.plain
    expect(body.results).toMatchObject([{ ok: false, error: { name: 'error' } }, { ok: true }])
    expect(JSON.stringify(body)).not.toContain('broken')
    expect(service.logged).toMatchObject([
      { level: 'error', data: { requestId: body.results[0].error.data.requestId } },
    ])
  })

  it('§6 a removal can be refused, and is announced afterwards', async () => {
    const stays = await make('stay')
    expect((await service.editor.delete(`thing/${stays._id}`)).body.message).toBe('This one stays.')
    expect((await service.editor.get(`thing/${stays._id}`)).status).toBe(200)
    const goes = await make()
    await service.editor.delete(`thing/${goes._id}`)
    expect(removed.map(({ removed }) => removed.map(({ id }) => id.mode))).toEqual([['draft', 'published']])
  })
})
