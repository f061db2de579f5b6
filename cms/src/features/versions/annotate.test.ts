import { describe, expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { html } from '../../base/html.ts'
import { newId } from '../../base/ids.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece, widget } from '../../model/declared/content-type.ts'

const VERSIONS = '@cms/document-versions'
const INS = '<ins data-version-change="added">'
const DEL = '<del data-version-change="removed">'

const site = defineSite({
  types: [
    piece('topic', { publicApiProjection: ['title'] }),
    piece('story', {
      fields: {
        add: {
          text: { type: 'string' },
          secret: { type: 'string', viewPermission: 'admin' },
          links: {
            type: 'array',
            fields: { add: { to: { type: 'string' }, secret: { type: 'string', viewPermission: 'admin' } } },
          },
          address: { type: 'object', fields: { add: { city: { type: 'string' }, street: { type: 'string' } } } },
          margin: { type: 'box' },
          _topics: {
            type: 'relationship',
            withType: 'topic',
            fields: { add: { note: { type: 'string' } } },
          },
          body: { type: 'area', widgets: { '@cms/rich-text': {}, quote: {}, silent: {}, columns: {} } },
        },
      },
    }),
    page('plain', { fields: { add: { body: { type: 'area', widgets: { '@cms/rich-text': {} } } } } }),
  ],
  widgets: [
    widget('quote', {
      versionsRender: true,
      fields: {
        add: {
          words: { type: 'string' },
          hidden: { type: 'string', viewPermission: 'admin' },
          _topics: { type: 'relationship', withType: 'topic' },
        },
      },
      render: ({ words }) => html`<q>${words}</q>`,
    }),
    widget('silent', { versionsRenderDeleted: false, fields: { add: { words: { type: 'string' } } } }),
    widget('columns', {
      fields: { add: { inner: { type: 'area', widgets: { quote: {}, silent: {}, '@cms/rich-text': {} } } } },
    }),
  ],
})

type Marked = { readonly [name: string]: unknown; readonly _id: string; readonly items: readonly Marked[] }

describeService('§4.4 annotate', { site, isLong: true }, (service) => {
  const rich = (_id: string, content: string) => ({ _id, type: '@cms/rich-text', content })
  const quote = (_id: string, words: string, more: object = {}) => ({ _id, type: 'quote', words, ...more })
  const make = async (fields: object, caller = service.editor) =>
    (await caller.post('story', { title: 'Story', slug: newId(), ...fields }, 'aposMode=draft')).body
      .aposDocId as string
  const edit = async (id: string, fields: object, caller = service.editor) => {
    expect(await caller.patch(`story/${id}:en:draft`, fields)).toMatchObject({ status: 200 })
  }
  const newest = async (id: string, index = 0) =>
    (await service.editor.get(VERSIONS, `docId=${id}`)).body.results[index]._id as string
  const annotated = async (id: string, query = '', caller = service.editor) => {
    const version = `${VERSIONS}/${await newest(id)}`
    const { body, status } = await caller.get(version, `annotate=1&${query}`)
    expect(status).toBe(200)
    expect(unmarked(body.doc)).toEqual((await caller.get(version)).body.doc)
    return body.doc
  }
  const MARKS = ['_inserted', '_deleted', '_modified', '_moved', '_olderVersion', '_changedWithAi', '_changes']
  const marksOf = (of: { readonly [name: string]: unknown }) =>
    Object.fromEntries(Object.entries(of).filter(([name]) => MARKS.includes(name)))
  /** The document without marks: as it is without `annotate`. */
  const unmarked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((one) => one?._deleted !== true).map(unmarked)
    if (typeof value === 'string') {
      const text = value.replace(/<del data[^>]*>.*?<\/del>|<ins data[^>]*>(.*?)<\/ins>/gs, '$1')
      return text === value ? text : text.replace(/<(\w+)[^>]*><\/\1>/g, '')
    }
    if (typeof value !== 'object' || value === null) return value
    const rest = Object.entries(value).filter(([name]) => !MARKS.includes(name))
    return Object.fromEntries(rest.map(([name, inner]) => [name, unmarked(inner)]))
  }
  const widgetsOf = (area: { readonly items: readonly Marked[] }) =>
    area.items.map((one) => [one._id, ...Object.keys(marksOf(one))])

  it('widgets are marked as inserted, deleted where they were, changed, and moved', async () => {
    const words = ['a', 'b', 'c', 'd', 'e'].map((one) => quote(one, `Words of ${one}`))
    const id = await make({ body: { items: words } })
    const [a, , c, d, e] = words
    await edit(id, { body: { items: [e, a, quote('new', 'New'), { ...c, words: 'Other' }, d] } })
    const doc = await annotated(id)
    expect(widgetsOf(doc.body)).toEqual([
      ['e', '_moved'],
      ['a'],
      ['b', '_deleted'],
      ['new', '_inserted'],
      ['c', '_modified', '_olderVersion'],
      ['d'],
    ])
    expect(doc.body.items[2]).toMatchObject({ words: 'Words of b', _deleted: true })
    expect(doc.body.items[4]._olderVersion).toMatchObject({ _id: 'c', words: 'Words of c' })
  })

  it('words of rich text are marked', async () => {
    const id = await make({ body: { items: [rich('a', '<p>The quick fox.</p>'), rich('b', '<p>Same.</p>')] } })
    await edit(id, { body: { items: [rich('a', '<p>The slow fox.</p>'), rich('b', '<p>Same.</p>')] } })
    const { body } = await annotated(id)
    expect(body.items).toMatchObject([
      { _modified: true, content: `<p>The ${DEL}quick</del>${INS}slow</ins> fox.</p>` },
      { content: '<p>Same.</p>' },
    ])
    expect(widgetsOf(body)).toEqual([['a', '_modified'], ['b']])
  })

  it('fields outside areas are named where they lie', async () => {
    const topics = await Promise.all(['One', 'Two'].map((title) => service.editor.post('topic', { title })))
    const [one, two] = topics.map(({ body }) => body.aposDocId)
    const id = await make({
      links: [
        { _id: 'l1', to: 'there' },
        { _id: 'l2', to: 'here' },
      ],
      address: { city: 'Rome' },
      _topics: [{ _id: one, _fields: { note: 'n' } }],
      margin: { top: 1, right: 1, bottom: 1, left: 1 },
    })
    await edit(id, {
      title: 'Other',
      text: 'New',
      links: [{ _id: 'l1', to: 'elsewhere' }],
      address: { city: '', street: 'Via' },
      _topics: [{ _id: one, _fields: { note: 'm' } }, { _id: two }],
      margin: { top: 2, right: 1, bottom: 1, left: 1 },
    })
    const doc = await annotated(id)
    expect(doc._changes).toEqual({
      title: 'modified',
      text: 'added',
      links: 'modified',
      _topics: 'modified',
      margin: 'modified',
    })
    expect(doc.links).toMatchObject([{ _id: 'l1', to: 'elsewhere', _changes: { to: 'modified' } }])
    expect(doc.address._changes).toEqual({ city: 'deleted', street: 'added' })
    expect(doc._topics).toMatchObject([{ title: 'One' }, { title: 'Two' }])
  })

  it('relationships of deleted widgets and of older versions are filled in', async () => {
    const topic = (await service.editor.post('topic', { title: 'Ink' })).body.aposDocId
    const more = { topicsIds: [topic] }
    const id = await make({ body: { items: [quote('a', 'A', more), quote('b', 'B', more)] } })
    await edit(id, { body: { items: [quote('b', 'C')] } })
    const { body } = await annotated(id)
    expect(body.items).toMatchObject([
      { _deleted: true, _topics: [{ title: 'Ink' }] },
      { _modified: true, _topics: [], _olderVersion: { words: 'B', _topics: [{ title: 'Ink' }] } },
    ])
  })

  it('deleted widgets of types that say so are not shown: what held them has changed', async () => {
    const silent = { _id: 's', type: 'silent', words: 'Gone' }
    const columns = (inner: object[]) => ({ _id: 'c', type: 'columns', inner: { items: inner } })
    const id = await make({ body: { items: [silent, columns([{ ...silent, _id: 't' }, quote('q', 'Q')])] } })
    await edit(id, { body: { items: [columns([quote('q', 'Q')])] } })
    const doc = await annotated(id)
    expect(doc._modified).toBe(true)
    expect(widgetsOf(doc.body)).toEqual([['c', '_modified']])
    expect(widgetsOf(doc.body.items[0].inner)).toEqual([['q']])
  })

  it('in areas inside widgets, the innermost widget is marked', async () => {
    const columns = (inner: object[]) => ({ _id: 'c', type: 'columns', inner: { items: inner } })
    const id = await make({ body: { items: [columns([quote('q', 'Q'), rich('r', '<p>One</p>')])] } })
    await edit(id, { body: { items: [columns([quote('p', 'P'), quote('q', 'R')])] } })
    const { body } = await annotated(id)
    expect(widgetsOf(body)).toEqual([['c']])
    expect(widgetsOf(body.items[0].inner)).toEqual([
      ['p', '_inserted'],
      ['q', '_modified', '_olderVersion'],
      ['r', '_deleted'],
    ])
  })

  it('a widget that has become one of another type was deleted and inserted', async () => {
    const id = await make({ body: { items: [rich('a', '<p>One</p>')] } })
    await edit(id, { body: { items: [quote('a', 'One')] } })
    const { body } = await annotated(id)
    expect(body.items.map((one: Marked) => [one.type, marksOf(one)])).toEqual([
      ['@cms/rich-text', { _deleted: true }],
      ['quote', { _inserted: true }],
    ])
  })

  it('hidden fields are neither marked nor shown', async () => {
    const all = { secret: 'One', links: [{ _id: 'l', to: 'x', secret: 'Two' }] }
    const id = await make({ ...all, body: { items: [quote('a', 'A', { hidden: 'Three' })] } }, service.admin)
    const changed = { secret: 'Eins', links: [{ _id: 'l', to: 'x', secret: 'Zwei' }] }
    await edit(id, { ...changed, body: { items: [quote('a', 'A', { hidden: 'Drei' })] } }, service.admin)
    const seen = await annotated(id)
    expect(JSON.stringify(seen)).not.toMatch(/_modified|_changes|_olderVersion|One|Two|Three|Eins|Zwei|Drei/)
    const whole = await annotated(id, '', service.admin)
    expect(whole).toMatchObject({
      _changes: { secret: 'modified' },
      links: [{ _changes: { secret: 'modified' } }],
      body: { items: [{ _modified: true, hidden: 'Drei', _olderVersion: { hidden: 'Three' } }] },
    })
  })

  it('first and restored versions are not marked, and nothing is without annotate', async () => {
    const id = await make({ body: { items: [quote('a', 'A')] } })
    expect(JSON.stringify(await annotated(id))).not.toContain('_changes')
    await edit(id, { title: 'Other', body: { items: [] } })
    const { body: plain } = await service.editor.get(`${VERSIONS}/${await newest(id)}`)
    expect(JSON.stringify(plain)).not.toMatch(/_changes|_deleted/)
    await service.editor.put(`story/${id}:en:draft`, { ...plain.doc, _restoreVersion: await newest(id, 1) })
    expect(JSON.stringify(await annotated(id))).not.toMatch(/_changes|_deleted|_inserted/)
  })

  it('with consolidate the changes of a run are marked, and who made them', async () => {
    const id = await make({ body: { items: [rich('a', '<p>One two.</p>'), quote('q', 'Q'), quote('r', 'R')] } })
    await service.editor.post(`story/${id}:en:draft/publish`)
    await edit(id, { body: { items: [rich('a', '<p>One three.</p>'), quote('q', 'AI'), quote('r', 'R')] }, _ai: true })
    await edit(id, { body: { items: [rich('a', '<p>One four.</p>'), quote('q', 'AI'), quote('r', 'S')] } })
    const { body } = await annotated(id, 'consolidate=1')
    expect(body.items).toMatchObject([
      { _changedWithAi: 'assisted', content: `<p>One ${DEL}two</del>${INS}four</ins>.</p>` },
      { _changedWithAi: 'changed', words: 'AI' },
      { _modified: true, words: 'S' },
    ])
    expect(body.items[2]).not.toHaveProperty('_changedWithAi')
    const { body: item } = await service.editor.get(`${VERSIONS}/${await newest(id)}`, 'annotate=1&consolidate=1')
    expect(item).toMatchObject({ versionIds: [await newest(id), await newest(id, 1)], changeCount: 3 })
    const single = await annotated(id)
    expect(widgetsOf(single.body)).toEqual([
      ['a', '_modified', '_changedWithAi'],
      ['q'],
      ['r', '_modified', '_olderVersion'],
    ])
  })

  it('pages are annotated, too', async () => {
    const place = { type: 'plain', _targetId: '_home', _position: 'lastChild' }
    const { body } = await service.editor.post('@cms/page', { ...place, title: 'P', body: '<p>One</p>' })
    const draft = await service.editor.get(`@cms/page/${body.aposDocId}:en:draft`)
    const [first] = draft.body.body.items
    await service.editor.patch(`@cms/page/${body.aposDocId}:en:draft`, {
      body: { items: [{ ...first, content: '<p>One more</p>' }] },
    })
    const doc = await annotated(body.aposDocId)
    expect(doc.body.items).toMatchObject([{ _modified: true, content: `<p>One${INS} more</ins></p>` }])
  })

  describe('an annotated document is refused', () => {
    const setUp = async () => {
      const id = await make({
        links: [{ _id: 'l', to: 'x' }],
        body: { items: [rich('a', '<p>One</p>'), quote('q', 'Q')] },
      })
      await edit(id, {
        title: 'Other',
        links: [{ _id: 'l', to: 'y' }],
        body: { items: [rich('a', '<p>Two</p>'), quote('n', 'N')] },
      })
      return { id, doc: await annotated(id) }
    }

    it('by PUT, PATCH and POST, saying why', async () => {
      const { id, doc } = await setUp()
      const { _id, ...copy } = doc
      for (const answer of [
        await service.editor.put(`story/${id}:en:draft`, doc),
        await service.editor.patch(`story/${id}:en:draft`, doc),
        await service.editor.post('story', copy),
        await service.editor.patch(`story/${id}:en:draft`, { $push: { 'body.items': doc.body.items[0] } }),
        await service.editor.patch(`story/${id}:en:draft`, { links: doc.links }),
        await service.editor.put(`story/${id}:en:draft`, { ...doc, _restoreVersion: await newest(id, 1) }),
      ]) {
        expect(answer).toMatchObject({ status: 400, body: { name: 'invalid' } })
        expect(JSON.stringify(answer.body)).toContain('annotate')
      }
    })

    it('with any one of its marks alone', async () => {
      const { id, doc } = await setUp()
      const put = (fields: object) => service.editor.patch(`story/${id}:en:draft`, fields)
      const refused = { status: 400, body: { name: 'invalid' } }
      const q = quote('z', 'Z')
      for (const mark of ['_inserted', '_deleted', '_modified', '_moved'])
        expect(await put({ body: { items: [{ ...q, [mark]: true }] } })).toMatchObject(refused)
      expect(await put({ body: { items: [{ ...q, _changedWithAi: 'changed' }] } })).toMatchObject(refused)
      expect(await put({ _changes: doc._changes })).toMatchObject(refused)
      expect(await put({ body: { items: [rich('a', doc.body.items[0].content)] } })).toMatchObject(refused)
      expect(await put({ body: `<p>${DEL.toUpperCase()}a</DEL></p>` })).toMatchObject(refused)
    })

    it('and is not rendered either', async () => {
      const { id, doc } = await setUp()
      const widget = doc.body.items.find((one: Marked) => one._inserted)
      const sent = { _docId: `${id}:en:draft`, areaFieldId: 'doc.story.body', type: 'quote', widget }
      const { status, body } = await service.editor.post('@cms/area/render-widget', sent)
      expect([status, body.data.errors.map(({ path }: { path: string }) => path)]).toEqual([400, ['body.n._inserted']])
    })

    it('while texts about them are not', async () => {
      const { id } = await setUp()
      const content = '<p>Write &lt;ins data-version-change="added"&gt;, or &lt;del data-version-change.</p>'
      await edit(id, { text: `${INS}a</ins>`, body: { items: [rich('a', content), quote('q', DEL)] } })
      await edit(id, { body: '<p>a <ins>b</ins> <del>c</del></p>' })
    })
  })
})
