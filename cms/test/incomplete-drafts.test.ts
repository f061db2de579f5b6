import { defineSite, page, piece, widget } from 'quire-cms'
import { beforeAll, expect, it } from 'vitest'
import { describeService, type Service } from './service.ts'

const words = { word: { type: 'string', required: true } } as const
const fields = {
  add: {
    lead: { type: 'string', required: true },
    grade: { type: 'integer', min: 3 },
    rows: { type: 'array', min: 2, fields: { add: words } },
    box: { type: 'object', fields: { add: words } },
    picks: { type: 'checkboxes', min: 2, choices: ['a', 'b', 'c'].map((value) => ({ value, label: value })) },
    _topics: { type: 'relationship', withType: 'topic', min: 2 },
    body: { type: 'area', min: 2, widgets: { quote: {} } },
    isLong: { type: 'boolean' },
    ending: { type: 'string', required: true, if: { isLong: true } },
  },
} as const
const quote = widget('quote', { fields: { add: words } })
const locales = { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } }
const site = defineSite({
  locales,
  widgets: [quote],
  types: [
    piece('topic', { fields: { add: {} } }),
    piece('note', { fields }),
    piece('live', {
      autopublish: true,
      fields: { add: { lead: { type: 'string', required: true }, more: { type: 'string' } } },
    }),
    piece('flat', { localized: false, fields: { add: { lead: { type: 'string', required: true } } } }),
    piece('about', { singleton: true, fields: { add: { lead: { type: 'string', required: true } } } }),
    page('leaf', { fields }),
  ],
})

/** A kind of document: its route, and what a body of one has. */
const KINDS = [
  ['note', {}],
  ['@cms/page', { type: 'leaf', _targetId: '_home', _position: 'lastChild' }],
] as const

const unfinished = (topic: string) => ({
  rows: [{ word: '' }],
  picks: ['a'],
  _topics: [topic],
  body: { items: [{ type: 'quote', word: '' }] },
  isLong: true,
})

const told = ({ body }: { body: { _problems?: { path: string; name: string }[] } }) =>
  body._problems?.map(({ path, name }) => `${path.replaceAll(/\b[0-9a-z]{20,}\b/g, '*')} ${name}`)

const PROBLEMS = [
  'title required',
  'lead required',
  'rows.*.word required',
  'box.word required',
  'body.*.word required',
  'ending required',
  'rows min',
  'picks min',
  '_topics min',
  'body min',
]

describeService('§3.2 incomplete drafts', { site }, (service) => {
  let topic = ''
  beforeAll(async () => {
    topic = (await service.editor.post('topic', { title: 'Topic' })).body.aposDocId
  })

  const made = async (by: Service['editor'], route: string, body: object) =>
    by.post(route, { ...body, _incomplete: true }, 'aposMode=draft')

  it.each(KINDS)('%s: are made and saved where the request says so, and tell what they lack', async (route, base) => {
    const body = { ...base, title: '', ...unfinished(topic) }
    const ordinary = await service.contributor.post(route, body, 'aposMode=draft')
    expect(ordinary).toMatchObject({ status: 400, body: { name: 'invalid' } })
    const draft = await made(service.contributor, route, body)
    expect(draft).toMatchObject({ status: 200, body: { title: '', picks: ['a'] } })
    expect(told(draft)?.toSorted()).toEqual(PROBLEMS.toSorted())
    const id = `${route}/${draft.body.aposDocId}:en:draft`
    expect((await service.contributor.get(id)).body).not.toHaveProperty('_problems')
    expect(told(await service.contributor.get(id, 'problems=true'))).toEqual(told(draft))
    const saved = await service.contributor.patch(id, { title: 'A title', lead: '', _autosave: true })
    expect(saved.status).toBe(200)
    expect(told(saved)).toEqual(told(draft)?.slice(1))
    expect(await service.contributor.patch(id, { lead: '' })).toMatchObject({ status: 400 })
    expect(await service.contributor.patch(id, { lead: '', _autosave: true, _explicitSave: true })).toMatchObject({
      status: 400,
    })
    expect(told(await service.contributor.put(id, { title: 'Short', _incomplete: true }))).toEqual([
      'lead required',
      'box.word required',
    ])
    const whole = await service.contributor.put(id, { title: 'Whole', lead: 'x', box: { word: 'y' }, _autosave: true })
    expect(told(whole)).toEqual([])
    expect((await service.editor.post(`${id}/publish`)).status).toBe(200)
  })

  it.each(KINDS)('%s: what cannot be read is refused', async (route, base) => {
    for (const wrong of [{ grade: 2 }, { grade: 'x' }, { rows: 'x' }, { picks: ['z', 'a'] }, { _topics: ['no'] }]) {
      expect(await made(service.editor, route, { ...base, ...wrong })).toMatchObject({ status: 400 })
    }
    expect((await service.editor.post(route, { ...base, _incomplete: 'x' }, 'aposMode=draft')).status).toBe(400)
  })

  it.each(KINDS)('%s: §2.12 a slug without a title is unique, and follows the title', async (route, base) => {
    const [one, other] = [await made(service.editor, route, base), await made(service.editor, route, base)]
    const slugs = [one.body.slug, other.body.slug]
    expect(new Set(slugs).size).toBe(2)
    for (const slug of slugs) expect(slug).toMatch(/^\/?none(-\d+)?$/)
    const id = `${route}/${other.body.aposDocId}:en:draft`
    const named = await service.editor.patch(id, { title: `Named ${route}`, _autosave: true })
    expect(named.body.slug).toMatch(/^\/?named-/)
    expect((await service.editor.patch(id, { title: '', _autosave: true })).body.slug).toMatch(/^\/?none(-\d+)?$/)
  })

  it('lists show an empty title', async () => {
    const { body } = await made(service.editor, 'note', {})
    const list = await service.editor.get('note', `aposMode=draft&_ids[]=${body.aposDocId}`)
    expect(list.body.results[0].title).toBe('')
  })

  it.each(KINDS)('%s: §3.3 are not published, with everything that they lack', async (route, base) => {
    const draft = await made(service.editor, route, { ...base, ...unfinished(topic) })
    const { aposDocId } = draft.body
    const refused = await service.editor.post(`${route}/${aposDocId}/publish`)
    expect(refused).toMatchObject({ status: 400, body: { name: 'invalid' } })
    expect(refused.body.data.errors).toEqual(draft.body._problems)
    expect((await service.editor.get(`${route}/${aposDocId}`)).status).toBe(404)
    const localized = await service.editor.post(`${route}/${aposDocId}/localize`, { toLocale: 'fr', publish: true })
    expect(localized).toMatchObject({ status: 400 })
    expect((await service.editor.post(`${route}/${aposDocId}/localize`, { toLocale: 'fr' })).status).toBe(200)
    const copy = { ...base, title: 'Copy', lead: 'x', box: { word: 'x' }, ending: 'x', _copyingId: aposDocId }
    expect((await service.editor.post(route, copy, 'aposMode=published')).status).toBe(400)
  })

  it('§4.1 are not published with others', async () => {
    const [whole, part] = [
      await service.editor.post('note', { title: 'T', lead: 'x', box: { word: 'x' } }, 'aposMode=draft'),
      await made(service.editor, 'note', { lead: 'x', box: { word: 'x' } }),
    ]
    const { body } = await service.editor.post('note/publish', { _ids: [whole.body._id, part.body._id] })
    expect(body.results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false])
    expect(body.results[1].error.data.errors).toMatchObject([{ path: 'title', name: 'required' }])
  })

  it('are not published by a save of a type that publishes each one', async () => {
    const draft = await made(service.contributor, 'live', { title: 'T' })
    expect(told(draft)).toEqual(['lead required'])
    const id = `live/${draft.body.aposDocId}:en:draft`
    expect(await service.editor.patch(id, { more: 'x' })).toMatchObject({ status: 400 })
    expect(await service.editor.patch(id, { more: 'x', _incomplete: true })).toMatchObject({
      body: { data: { errors: [{ path: '_incomplete' }] } },
    })
    expect((await service.editor.post(`live/${draft.body.aposDocId}/archive`)).status).toBe(200)
    expect((await service.editor.post(`live/${draft.body.aposDocId}/restore`)).status).toBe(200)
    expect((await service.editor.patch(id, { lead: 'x' })).status).toBe(200)
    expect((await service.editor.get(`live/${draft.body.aposDocId}`)).status).toBe(200)
  })

  it('§4.4 a version of an incomplete draft is not restored where each save is published', async () => {
    const draft = await made(service.contributor, 'live', { title: 'T' })
    const id = draft.body.aposDocId
    await service.editor.patch(`live/${id}:en:draft`, { lead: 'x' })
    const { body } = await service.editor.get('@cms/document-versions', `docId=${id}`)
    const restored = { _restoreVersion: body.results.at(-1)._id }
    expect(await service.editor.put(`live/${id}:en:draft`, restored)).toMatchObject({
      status: 400,
      body: { data: { errors: [{ path: 'lead', name: 'required' }] } },
    })
  })

  it('only drafts may be incomplete', async () => {
    for (const [route, query] of [
      ['note', 'aposMode=published'],
      ['flat', ''],
    ] as const) {
      expect(await service.editor.post(route, { title: 'T', _incomplete: true }, query)).toMatchObject({
        status: 400,
        body: { data: { errors: [{ path: '_incomplete', name: 'invalid' }] } },
      })
    }
    expect(await service.editor.post('flat', { title: 'T', _autosave: true })).toMatchObject({ status: 400 })
  })

  it('what the published copy lacks already may stay as it is', async () => {
    const [{ aposDocId: id }] = (await service.editor.get('about')).body.results
    const saved = await service.editor.patch(`about/${id}:en:draft`, { title: 'About', _autosave: true })
    expect(told(saved)).toEqual([])
    expect(told(await service.editor.patch(`about/${id}:en:draft`, { title: '', _autosave: true }))).toEqual([
      'title required',
    ])
  })

  it('problems are told to those who may edit, of drafts', async () => {
    const { body } = await made(service.editor, 'note', {})
    for (const [by, mode, status] of [
      [service.anonymous, 'draft', 401],
      [service.guest, 'draft', 403],
      [service.contributor, 'draft', 200],
      [service.contributor, 'published', 400],
    ] as const) {
      expect((await by.get(`note/${body.aposDocId}:en:${mode}`, 'problems=true')).status).toBe(status)
    }
  })
})
