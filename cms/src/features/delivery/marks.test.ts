import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { FRONT_KEY, type Visitor, visit } from '../../../test/visits.ts'
import { html } from '../../base/html.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece, widget } from '../../model/declared/content-type.ts'

const templates = await mkdtemp(join(tmpdir(), 'quire-marks-'))
await writeFile(
  join(templates, 'leaf.njk'),
  `{% extends data.outerLayout %}{% block main %}<h1{{ edit(data.page, 'title') }}>{{ data.page.title }}</h1>{% area data.page.body %}{% endblock %}`,
)
await writeFile(join(templates, 'quote.njk'), '<q>{{ data.widget.words }}</q>')
afterAll(() => rm(templates, { recursive: true }))

const EDITOR = 'https://edit.example.org'
const body = {
  type: 'area',
  widgets: { pair: {}, quote: {}, failing: {}, loading: {}, box: {}, '@cms/rich-text': {}, '@cms/layout': {} },
} as const
const words = { add: { words: { type: 'string' } } } as const

const site = defineSite({
  editor: { origin: EDITOR, frontends: ['https://www.example.org'] },
  templates,
  types: [
    page('leaf', { fields: { add: { body } }, template: 'leaf.njk' }),
    page('branch', {
      fields: { add: { body, _notes: { type: 'relationship', withType: 'note' } } },
      render: ({ page }, scene) =>
        html`<h1${scene.edit(page, 'title')}>${page?.title}</h1>${scene.area(page?.body as never)}
          ${page?._notes.map((note) => scene.area(note.body as never))}`,
    }),
    page('broken', {
      render: () => {
        throw new Error('it broke')
      },
    }),
    piece('note', { editRole: 'admin', fields: { add: { body } } }),
  ],
  widgets: [
    widget('quote', { fields: words, template: 'quote.njk' }),
    widget('pair', {
      fields: words,
      render: (one, { edit }) => html`<b${edit(one, 'words')}>${one.words}</b><i>2</i>`,
    }),
    widget('failing', {
      fields: words,
      render: () => {
        throw new Error('no <words>')
      },
    }),
    widget('loading', {
      fields: words,
      data: async () => {
        throw new Error('nothing there')
      },
      render: () => html`<p>never</p>`,
    }),
    widget('box', {
      fields: { add: { inner: { type: 'area', widgets: { quote: {}, failing: {} } } } },
      render: ({ inner }, { area }) => area(inner),
    }),
  ],
})
const EDITED = 'aposMode=draft&aposEdit=1'

describeService('§11.4 marks in drafts', { site, frontKey: FRONT_KEY }, (service) => {
  const ids = { leaf: '', branch: '', area: '' }
  const see = (path: string, visitor: Visitor = {}) => visit(service, path, visitor)
  const marked = (path: string, more = '') => see(`${path}?${EDITED}${more}`, { role: 'contributor' })

  beforeAll(async () => {
    const create = async (type: string, more: object) => {
      const values = { type, title: type, _targetId: '_home', _position: 'lastChild', ...more }
      const answer = await service.admin.post('@cms/page', values)
      expect(answer.status).toBe(200)
      return answer.body
    }
    const items = (...all: object[]) => ({ body: { items: all } })
    const inner = { items: [{ _id: 'w3', type: 'quote', words: 'deep' }] }
    const note = await service.admin.post('note', { title: 'N', ...items({ _id: 'wn', type: 'quote', words: 'note' }) })
    const all = [
      { _id: 'w1', type: 'quote', words: 'one' },
      { _id: 'w2', type: 'pair', words: 'two' },
      { _id: 'wb', type: 'box', inner },
    ]
    const leaf = await create('leaf', items(...all))
    const branch = await create('branch', { ...items(), _notes: [{ _id: note.body._id }] })
    Object.assign(ids, { leaf: leaf.aposDocId, branch: branch.aposDocId, area: branch.body._id })
    await create('broken', {})
  })

  test('§11.4 widgets and areas say which they are, in templates of both kinds, and fields by the helper', async () => {
    const id = `${ids.leaf}:en:draft`
    const { text, headers, status } = await marked('/leaf')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    const place = ` data-doc-id="${id}" data-field-id="doc.leaf.body"`
    expect(text).toContain(`<h1 data-quire-field="${id} title">leaf</h1>`)
    expect(text).toContain(`<q data-apos-widget="w1"${place}>one</q>`)
    expect(text).toContain(
      `<div data-apos-widget="w2"${place} style="display:contents"><b data-quire-field="${id} @w2.words">two</b><i>2</i></div>`,
    )
    expect(text).toContain(
      `<div data-apos-widget="wb"${place} style="display:contents"><q data-apos-widget="w3" data-doc-id="${id}" data-field-id="widget.box.inner">deep</q></div>`,
    )
    expect(text.endsWith('<script src="/admin/inside.js" defer></script>')).toBe(true)
  })

  test('§11.4 an empty area is marked, and nothing of documents that the caller may not edit', async () => {
    const { text } = await marked('/branch')
    const id = `${ids.branch}:en:draft`
    expect(text).toContain(
      `<div data-apos-area-newly-editable data-doc-id="${id}" data-area-id="${ids.area}" data-field-id="doc.branch.body"></div>`,
    )
    expect(text).toContain('<q>note</q>')
    expect((await see(`/branch?${EDITED}`, { role: 'admin' })).text).toContain('data-apos-widget="wn"')
  })

  test('§11.4 the refreshable part is marked likewise, without the script', async () => {
    const { text } = await marked('/leaf', '&aposRefresh=1')
    expect(text).toContain('<q data-apos-widget="w1"')
    expect(text).not.toContain('<script')
    expect((await marked('/leaf')).text).toContain(text)
  })

  test('§11.4 without the parameter, published, by preview links and for visitors the bytes are those without marks', async () => {
    const plain = (await see('/leaf')).text
    expect(plain).not.toMatch(/data-(?:apos|doc|quire-field|area)|inside\.js/)
    for (const role of ['guest', 'contributor', 'editor', 'admin'] as const) {
      const open = (query: string) => see(`/leaf?${query}`, { role })
      const published = [await open(''), await open('aposEdit=1'), await open('aposEdit=1&aposMode=published')]
      expect(published.map(({ text }) => text)).toEqual([plain, plain, plain])
      if (role !== 'guest') expect((await open('aposMode=draft')).text).toBe(plain)
    }
    for (const query of ['aposEdit=1', 'aposEdit=1&aposRefresh=1']) {
      const [first, again] = [await see(`/leaf?${query}`), await see(`/leaf?${query}`)]
      expect(again.text).toBe(first.text)
      expect(first.text).toBe((await see(`/leaf?${query.replace('aposEdit=1', '')}`)).text)
    }
    expect((await see(`/leaf?${EDITED}`)).status).toBe(401)
    expect((await see(`/leaf?${EDITED}`, { role: 'guest' })).status).toBe(403)
    const { url } = (await service.editor.post(`@cms/page/${ids.leaf}/preview`)).body
    expect((await see(`${url}&aposEdit=1`)).text).toBe((await see(url)).text)
    expect((await see('/leaf')).text).toBe(plain)
  })

  test('§11.4 a template that fails shows its message in place of the block, to editors alone', async () => {
    const failing = ['failing', 'loading'].map((type, at) => ({ _id: `f${at}`, type }))
    const box = { _id: 'fb', type: 'box', inner: { items: [{ _id: 'fi', type: 'failing' }] } }
    const items = [{ _id: 'w1', type: 'quote', words: 'whole' }, ...failing, box]
    await service.admin.post('@cms/page', {
      type: 'leaf',
      title: 'Failing',
      _targetId: '_home',
      _position: 'lastChild',
      body: { items },
    })
    const { status, text } = await marked('/failing')
    expect(status).toBe(200)
    expect(text).toContain('>whole</q>')
    const messages = text.match(/<div data-apos-widget="f\w"[^>]* data-quire-failed role="alert">[^<]*<\/div>/g)
    expect(messages?.map((one) => one.replace(/<[^>]*>/g, ''))).toEqual([
      'widgets.failing: no &lt;words&gt;',
      'widgets.loading.data: nothing there',
      'widgets.failing: no &lt;words&gt;',
    ])
    for (const role of [undefined, 'editor'] as const) {
      const { status, text } = await see('/failing', role && { role })
      expect({ status, tells: /no &lt;words|nothing there/.test(text) }).toEqual({ status: 500, tells: false })
    }
    const broken = await marked('/broken')
    expect(broken.status).toBe(500)
    expect(broken.text).toContain('<p>types.broken: it broke</p>')
    expect(broken.text).not.toContain(import.meta.dirname)
    expect((await see('/broken')).text).not.toContain('it broke')
  })

  test('§11.4 an unsaved widget is drawn with its mark; one that cannot be drawn says why', async () => {
    const draw = async (widget: object, query = 'aposEdit=1') => {
      const answer = await fetch(`${service.address}/api/v1/@cms/area/render-widget?${query}`, {
        method: 'POST',
        headers: { authorization: 'ApiKey key-contributor', 'content-type': 'application/json' },
        body: JSON.stringify({ _docId: `${ids.leaf}:en:draft`, areaFieldId: 'doc.leaf.body', widget }),
      })
      return { status: answer.status, text: await answer.text() }
    }
    const unsaved = { _id: 'w1', type: 'quote', words: 'new' }
    expect((await draw(unsaved)).text).toBe(
      `<q data-apos-widget="w1" data-doc-id="${ids.leaf}:en:draft" data-field-id="doc.leaf.body">new</q>`,
    )
    expect((await draw(unsaved, '')).text).toBe('<q>new</q>')
    expect((await draw({ _id: 'f', type: 'failing' })).text).toContain(
      'role="alert">widgets.failing: no &lt;words&gt;<',
    )
    const { status, text } = await draw({ _id: 'w1', type: 'quote', words: 7 })
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ name: 'invalid', data: { errors: [{ path: 'body.w1.words' }] } })
  })

  test('§11.4 an external front end gets the script with its whole address, for drafts that are edited alone', async () => {
    const scripts = async (query: string, role?: 'contributor') =>
      (await see(`/leaf?${query}`, { front: true, ...(role && { role }) })).data.bundleMarkup.js
    expect(await scripts(EDITED, 'contributor')).toEqual([`<script src="${EDITOR}/admin/inside.js" defer></script>`])
    for (const query of ['', 'aposEdit=1', 'aposMode=draft']) expect(await scripts(query, 'contributor')).toEqual([])
    expect(await scripts('aposEdit=1')).toEqual([])
  })

  test('§11.4 drafts may be framed where the editor is opened, and the editor frames its front ends', async () => {
    const { headers } = await marked('/leaf')
    expect(headers.get('content-security-policy')).toContain(`frame-ancestors 'self' ${EDITOR}`)
    expect((await see('/leaf')).headers.get('content-security-policy')).not.toContain(EDITOR)
    expect((await see('/admin')).headers.get('content-security-policy')).toContain(
      "frame-src 'self' https://www.example.org;",
    )
  })
})
