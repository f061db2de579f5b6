import { beforeAll, expect, it } from 'vitest'
import { type Caller, describeService } from '../../../test/service.ts'
import { defineSite, piece } from '../../index.ts'

const site = defineSite({
  name: 'Marks',
  types: [
    piece('speaker', { publicApiProjection: ['title'] }),
    piece('talk', {
      publicApiProjection: ['title', 'text', 'body', 'details', '_speakers'],
      searchable: ['_speakers'],
      searchWeights: { aside: 'low' },
      fields: {
        add: {
          text: { type: 'string', textarea: true },
          aside: { type: 'string' },
          secret: { type: 'string', viewPermission: 'editor' },
          details: {
            type: 'object',
            fields: { add: { note: { type: 'string' }, inner: { type: 'string', viewPermission: 'editor' } } },
          },
          body: { type: 'area', widgets: { '@cms/rich-text': {} } },
          _speakers: { type: 'relationship', withType: 'speaker' },
        },
      },
    }),
    piece('marked', { fields: { add: { highlight: { type: 'string' } } } }),
  ],
})

const long = (words: string) => `${'before '.repeat(50)}${words}${' after'.repeat(80)}`

describeService('§4.1 highlights', { site }, (service) => {
  beforeAll(async () => {
    const { editor } = service
    const { body: shown } = await editor.post('speaker', { title: 'Ann Alder' })
    const { body: hidden } = await editor.post('speaker', { title: 'Bob Birch', visibility: 'loginRequired' })
    await editor.post('talk', {
      title: 'Gardens & <b>garden</b>',
      text: long('the "gardening" <script>alert(1)</script>'),
      aside: 'No gardens',
      secret: 'secret gardens',
      details: { note: 'a gärden', inner: 'inner gardens' },
      body: { items: [{ type: '@cms/rich-text', content: '<p>First</p><p>A <em>gar</em>den &lt;i&gt;</p>' }] },
      _speakers: [shown._id, hidden._id],
    })
    await editor.post('talk', { title: '東京の天気', text: 'Crème brûlée' })
    await editor.post('talk', { title: 'x'.repeat(400), text: `marmalade${'y'.repeat(50)} ${'z'.repeat(600)}` })
  })

  /** The highlights of the only talk that is found. */
  async function highlight(query: string, caller: Caller = service.editor) {
    const { body } = await caller.get('talk', `highlight=true&${query}`)
    expect(body.total).toBe(1)
    return body.results[0]._highlight
  }

  const PUBLIC = {
    title: '<mark>Gardens</mark> &amp; &lt;b&gt;<mark>garden</mark>&lt;/b&gt;',
    text: expect.stringMatching(
      /^… before .*the &quot;<mark>gardening<\/mark>&quot; &lt;script&gt;alert\(1\).* after …$/,
    ),
    details: 'a <mark>gärden</mark>',
    body: expect.stringMatching(/^First A <mark>garden<\/mark> &lt;i&gt;$/),
  }

  it('§5.8 what is found, by field, in HTML: of fields that the caller sees', async () => {
    const everything = { ...PUBLIC, aside: 'No <mark>gardens</mark>', secret: 'secret <mark>gardens</mark>' }
    expect(await highlight('search=garden')).toEqual(everything)
    expect(await highlight('search=garden', service.anonymous)).toEqual(PUBLIC)
    expect(await highlight('search=garden', service.contributor)).toEqual({ ...PUBLIC, aside: everything.aside })
  })

  it('§5.8 titles of related documents that the caller sees', async () => {
    expect(await highlight('search=alder', service.anonymous)).toEqual({ _speakers: 'Ann <mark>Alder</mark>' })
    expect(await highlight('search=birch')).toEqual({ _speakers: 'Bob <mark>Birch</mark>' })
    const { body } = await service.anonymous.get('talk', 'highlight=true&search=birch')
    expect(body.results).toEqual([])
  })

  it.each([
    ['search=brulee', { text: 'Crème <mark>brûlée</mark>' }],
    ['search=東京', { title: '<mark>東京</mark>の天気' }],
    ['autocomplete=cre', { text: '<mark>Crème</mark> brûlée' }],
    ['search=creme&autocomplete=bru', { text: '<mark>Crème</mark> <mark>brûlée</mark>' }],
    ['search=brulea', { text: 'Crème <mark>brûlée</mark>' }],
    ['search=creme&sort=title', { text: '<mark>Crème</mark> brûlée' }],
    ['search=creme&project[title]=1', { text: '<mark>Crème</mark> brûlée' }],
    ['autocomplete=marm', { text: `<mark>marmalade${'y'.repeat(50)}</mark> …` }],
  ])('%s', async (query, expected) => {
    expect(await highlight(query)).toEqual(expected)
  })

  it('the first of several related documents, in the order that each document has them', async () => {
    const { editor } = service
    const names = ['Cyd', 'Dan', 'Eve']
    const ids: string[] = []
    for (const name of names) ids.push((await editor.post('speaker', { title: `${name} Cedar` })).body._id)
    for (const [index, title] of names.entries()) {
      await editor.post('talk', { title, _speakers: [...ids.slice(index), ...ids.slice(0, index)] })
    }
    const { body } = await editor.get('talk', 'search=cedars&highlight=true&sort=title')
    const passages = body.results.map((one: { _highlight: object }) => one._highlight)
    expect(passages).toEqual(names.map((name) => ({ _speakers: `${name} <mark>Cedar</mark>` })))
  })

  it('only where they are asked for, of a search, and not instead of a field of that name', async () => {
    const { editor } = service
    for (const query of ['search=creme', 'highlight=false&search=creme', 'highlight=true', 'highlight=true&search=']) {
      const { body } = await editor.get('talk', query)
      expect(body.results.some((one: object) => '_highlight' in one)).toBe(false)
    }
    await editor.post('marked', { title: 'Yes', highlight: 'true' })
    await editor.post('marked', { title: 'No', highlight: 'x' })
    const { body } = await editor.get('marked', 'highlight=true')
    expect(body.results).toMatchObject([{ title: 'Yes' }])
    expect((await editor.get('talk', 'highlight[]=true&search=creme')).status).toBe(400)
  })

  it('§2.11 an answer with them can be sent back, and the next highlight is of what was saved', async () => {
    const { editor } = service
    const { body } = await editor.get('talk', 'search=creme&highlight=true')
    const [found] = body.results
    expect((await editor.put(`talk/${found._id}`, { ...found, text: 'Crème anglaise' })).status).toBe(200)
    expect(await highlight('search=creme')).toEqual({ text: '<mark>Crème</mark> anglaise' })
  })
})
