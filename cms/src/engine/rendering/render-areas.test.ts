import { beforeAll, describe, expect, it } from 'vitest'
import { imagePiece, upload } from '../../../test/media.ts'
import { describeService, type Service } from '../../../test/service.ts'
import type { JsonObject } from '../../base/json.ts'
import { defineSite, html, page, piece, widget } from '../../index.ts'

const quote = widget('quote', {
  fields: {
    add: {
      words: { type: 'string' },
      secret: { type: 'string', viewPermission: 'editor' },
      _topics: { type: 'relationship', withType: 'topic' },
    },
  },
  data: async (_ctx, widgets) =>
    widgets.map(({ words }, index) => `${index + 1} of ${widgets.length}: ${words.length}`),
  render: ({ words, secret, _topics }, { data }) =>
    html`<q title="${data}">${words}${secret}${_topics.map(({ title }) => html`<i>${title}</i>`)}</q>`,
})

const box = widget('box', {
  fields: { add: { inner: { type: 'area', widgets: { quote: {}, box: {}, '@cms/image': {} } } } },
  render: ({ inner }, scene) => html`<div>${scene.area(inner, { sizes: '50vw' })}</div>`,
})

const teaser = widget('teaser', {
  fields: { add: { _story: { type: 'relationship', withType: 'story', max: 1 } } },
  // biome-ignore lint/suspicious/noExplicitAny: what a related document holds is not known to the compiler
  render: ({ _story: [story] }, scene) => html`<aside>${scene.area(story?.body as any)}</aside>`,
})

/** Has no template of its own. */
const note = widget('note', { fields: { add: { text: { type: 'string' } } } })

const body = {
  type: 'area',
  widgets: {
    quote: {},
    box: {},
    teaser: {},
    note: {},
    '@cms/rich-text': { toolbar: ['link', 'image', 'bold'] },
    '@cms/image': {},
    '@cms/file': {},
    '@cms/html': {},
    '@cms/video': {},
    '@cms/layout': { columns: 6, gap: '1rem' },
  },
} as const

const site = (namespace: '@cms' | '@apostrophecms') =>
  defineSite({
    namespace,
    types: [
      piece('topic', { publicApiProjection: ['title', 'slug'] }),
      piece('hidden', { viewRole: 'editor' }),
      piece('story', {
        publicApiProjection: ['title', 'body', 'parts', 'aside', '_related'],
        fields: {
          add: {
            body,
            parts: { type: 'array', fields: { add: { body } } },
            aside: { type: 'object', fields: { add: { body } } },
            _related: { type: 'relationship', withType: 'story' },
          },
        },
      }),
      page('chapter', { publicApiProjection: ['title', '_url', 'body', '_children'], fields: { add: { body } } }),
    ],
    widgets: [quote, box, teaser, note],
    features: [
      {
        name: 'frames',
        hooks: {
          renderWidget: (rendered, { type }) => (type === 'note' ? html`<section>${rendered}</section>` : undefined),
        },
      },
    ],
  })

describeService('§2.1 render-areas', { isLong: true, site: site('@cms'), cacheBytes: 0 }, (service) => {
  let topic: JsonObject
  beforeAll(async () => {
    topic = (await service.editor.post('topic', { title: 'Moss & <stone>' })).body
  })

  const insert = async (fields: object) => (await service.editor.post('story', { title: 'Story', ...fields })).body
  const read = async (id: unknown, as: 'anonymous' | 'editor' = 'anonymous') =>
    (await service[as].get(`story/${id}`, 'render-areas=true')).body
  /** Renders a story with these widgets. */
  const rendered = async (items: readonly object[], as: 'anonymous' | 'editor' = 'anonymous'): Promise<string> => {
    const { _id } = await insert({ body: { items } })
    return (await read(_id, as)).body._rendered
  }

  it('§2.1 an area is HTML in place of its items', async () => {
    const { _id } = await insert({ body: { items: [{ type: 'quote', words: 'a < b', _topics: [topic] }] } })
    const { body } = await read(_id)
    expect(body).toEqual({
      _id: body._id,
      metaType: 'area',
      _rendered: '<q title="1 of 1: 5">a &lt; b<i>Moss &amp; &lt;stone&gt;</i></q>',
    })
    expect((await service.anonymous.get(`story/${_id}`)).body.body.items).toHaveLength(1)
  })

  it('§2.1 areas in arrays, objects and related documents are HTML too', async () => {
    const area = (words: string) => ({ items: [{ type: 'quote', words, _topics: [topic] }] })
    const related = await insert({ body: area('related') })
    const { _id } = await insert({
      body: area('own'),
      parts: [{ body: area('first') }, { body: area('second') }],
      aside: { body: area('aside') },
      _related: [related],
    })
    const answer = await read(_id)
    const areas = [answer, ...answer.parts, answer.aside, ...answer._related].map((holder) => holder.body)
    expect(areas.map((area) => area.items)).toEqual(areas.map(() => undefined))
    const words = ['own', 'first', 'second', 'aside', 'related']
    for (const [index, area] of areas.entries()) {
      expect(area._rendered).toContain(`>${words[index]}<i>Moss &amp; &lt;stone&gt;</i></q>`)
    }
  })

  it('§2.1 a widget renders areas inside of it, and those of documents that it relates to', async () => {
    const nested = {
      type: 'box',
      inner: { items: [{ type: 'box', inner: { items: [{ type: 'quote', words: 'in' }] } }] },
    }
    expect(await rendered([nested])).toBe('<div><div><q title="1 of 1: 2">in</q></div></div>')
    const story = await insert({ body: { items: [{ type: 'quote', words: 'far', _topics: [topic] }] } })
    expect(await rendered([{ type: 'teaser', _story: [story] }])).toBe(
      '<aside><q title="1 of 1: 3">far<i>Moss &amp; &lt;stone&gt;</i></q></aside>',
    )
  })

  it('§5.8 areas show nobody what they may not see', async () => {
    const hidden = (await service.admin.post('hidden', { title: 'Hidden' })).body
    const link = `<p><a href="#apostrophe-permalink-${hidden.aposDocId}?updateTitle=1">a text</a></p>`
    const items = [
      { type: 'quote', words: 'open', secret: '-closed' },
      { type: '@cms/rich-text', content: link },
    ]
    const anonymous = await rendered(items)
    expect(anonymous).toContain('>open</q>')
    expect(anonymous).toContain('<p>a text</p>')
    expect(await rendered(items, 'editor')).toContain('>open-closed</q>')
  })

  it('§6 a renderWidget hook changes what is rendered; without a template the texts are shown', async () => {
    expect(await rendered([{ type: 'note', text: 'a & b' }])).toBe(
      '<section><div data-widget="note"><p>a &amp; b</p></div></section>',
    )
  })

  it('§0.4 render-areas is true for true and 1, the last one counts, and nothing else is an error', async () => {
    const { _id } = await insert({ body: { items: [{ type: 'quote', words: 'x' }] } })
    const isRendered = async (query: string) => {
      const { status, body } = await service.anonymous.get(`story/${_id}`, query)
      expect(status).toBe(200)
      return body.body._rendered !== undefined
    }
    expect(await isRendered('render-areas=1')).toBe(true)
    expect(await isRendered('render-areas=true%3Fapikey%3DK&render-areas=true')).toBe(true)
    expect(await isRendered('render-areas=yes')).toBe(false)
  })

  it('§2.1 a list takes the same statements however long it is', async () => {
    const image = await imagePiece(service)
    const related = await insert({ body: { items: [{ type: '@cms/image', _image: [image] }] } })
    const link = `<p><a href="#apostrophe-permalink-${related.aposDocId}">x</a></p>`
    for (let index = 0; index < 4; index += 1) {
      const items = [
        { type: 'quote', words: `${index}`, _topics: [topic] },
        { type: '@cms/image', _image: [image] },
        { type: '@cms/rich-text', content: link },
      ]
      await insert({ title: 'Counted', body: { items }, _related: [related] })
    }
    await service.quiet()
    const count = async (perPage: number) => {
      const before = service.statements.length
      const { body } = await service.anonymous.get('story', `title=Counted&perPage=${perPage}&render-areas=1`)
      expect(body.results[0].body._rendered).toContain('<img')
      return service.statements.length - before
    }
    // How many there are is counted once.
    await count(4)
    expect(await count(4)).toBe(await count(1))
  })

  describe('§2.18 built-in widgets', () => {
    it('§2.18 an image has its sizes, its dimensions, its text and a caption, and is loaded late', async () => {
      const image = await imagePiece(service, { alt: 'Moss "on" stone' })
      const html = await rendered([
        { type: '@cms/image', _image: [{ ...image, _fields: { x: 10, y: 20 } }], caption: '<Moss>' },
      ])
      const { _urls } = image.attachment as { _urls: Record<string, string> }
      expect(html).toContain(`src="${_urls.full}"`)
      expect(html).toContain(`srcset="${_urls.max} 400w, ${_urls['one-third']} 380w, ${_urls['one-sixth']} 190w"`)
      expect(html).toContain('sizes="100vw" width="400" height="200" alt="Moss &quot;on&quot; stone"')
      expect(html).toContain('style="object-position:10% 20%" loading="lazy"')
      expect(html).toContain('<figcaption>&lt;Moss&gt;</figcaption></figure>')
    })

    it('§4.3 an image is the crop that the widget says, as wide as its area says', async () => {
      const image = await imagePiece(service)
      const _fields = { left: 10, top: 20, width: 100, height: 50 }
      const inner = { items: [{ type: '@cms/image', _image: [{ ...image, _fields }] }] }
      const html = await rendered([{ type: 'box', inner }])
      expect(html).toMatch(/src="[^"]*\.20\.10\.100\.50\.full\.jpg"/)
      expect(html).toContain('sizes="50vw" width="100" height="50"')
    })

    it('§2.18 an image leads to a URL or to a page', async () => {
      const image = await imagePiece(service)
      const chapter = (
        await service.editor.post('@cms/page', {
          type: 'chapter',
          title: 'Led',
          _targetId: '_home',
          _position: 'lastChild',
        })
      ).body
      const link = {
        linkTo: '_url',
        linkHref: 'https://example.org/?a&b',
        linkHrefTitle: 'Out',
        linkTarget: ['_blank'],
      }
      expect(await rendered([{ type: '@cms/image', _image: [image], ...link }])).toContain(
        '<a href="https://example.org/?a&amp;b" title="Out" target="_blank" rel="noopener noreferrer"><img',
      )
      const inside = { linkTo: 'chapter', _chapter: [chapter] }
      expect(await rendered([{ type: '@cms/image', _image: [image], ...inside }])).toContain('<a href="/led"><img')
    })

    it('§2.18 a file is a link, HTML stands as it is, and a video of an unknown site is a link', async () => {
      const attachment = (await upload(service, 'editor', 'text', 'notes.txt')).body
      const file = (await service.editor.post('@cms/file', { title: 'Notes & more', attachment })).body
      const html = await rendered([
        { type: '@cms/file', _file: [file] },
        { type: '@cms/html', code: '<b onclick="x">raw</b>' },
        { type: '@cms/video', video: { url: 'https://video.invalid/1?a&b', title: 'A film' } },
      ])
      expect(html).toBe(
        `<p data-file><a href="${file._url}" download>Notes &amp; more</a></p>` +
          '<b onclick="x">raw</b>' +
          '<p data-video><a href="https://video.invalid/1?a&amp;b">A film</a></p>',
      )
    })

    it('§2.18 columns stand on a grid, whose CSS comes once', async () => {
      const column = (given: object) => ({
        type: '@cms/layout-column',
        content: { items: [{ type: 'quote', words: 'c' }] },
        ...given,
      })
      const layout = {
        type: '@cms/layout',
        columns: { items: [column({ colstart: 1, colspan: 4 }), column({ colspan: 2, showMobile: false })] },
      }
      const html = await rendered([layout, layout])
      expect(html.match(/<style>/g)).toHaveLength(1)
      expect(html).toContain('<div class="layout-widget" style="--grid-columns:6;--grid-gap:1rem;')
      expect(html).toContain('data-visible-mobile="true" style="--colstart:1;--colspan:4"><q')
      expect(html).toContain('data-visible-mobile="false" style="--colspan:2"><q')
    })
  })

  it('§4.2 pages are rendered singly, in trees, and with their relatives', async () => {
    const insertPage = async (title: string, _targetId: string) =>
      (
        await service.editor.post('@cms/page', {
          type: 'chapter',
          title,
          _targetId,
          _position: 'lastChild',
          body: { items: [{ type: 'quote', words: title }] },
        })
      ).body
    const parent = await insertPage('Rendered', '_home')
    const child = await insertPage('Below', parent._id)
    const single = (await service.editor.get(`@cms/page/${parent._id}`, 'render-areas=1')).body
    expect(single.body._rendered).toContain('Rendered</q>')
    expect(single._children[0].body._rendered).toContain('Below</q>')
    const flat = (await service.editor.get('@cms/page', 'all=1&flat=1&render-areas=1')).body.results
    const found = flat.find(({ _id }: JsonObject) => _id === child._id)
    expect(found.body).toMatchObject({ _rendered: expect.stringContaining('Below</q>') })
    expect(JSON.stringify((await service.editor.get('@cms/page', 'all=1&render-areas=1')).body)).toContain('Below</q>')
  })

  it('§4.2 PATCH renders what GET does, with the documents that widgets relate to', async () => {
    const { body: topic } = await service.editor.post('topic', { title: 'Baking' })
    const target = { _targetId: '_home', _position: 'lastChild' }
    const { body: made } = await service.editor.post('@cms/page', { type: 'chapter', title: 'Patched', ...target })
    const items = [{ type: 'quote', words: 'related', _topics: [topic] }]
    const patched = await service.editor.patch(`@cms/page/${made._id}`, { body: { items } }, 'render-areas=1')
    expect(patched.body.body._rendered).toContain('<i>Baking</i>')
    expect(patched.body).toEqual((await service.editor.get(`@cms/page/${made._id}`, 'render-areas=1')).body)
  })

  it('§4.2b editors see how an area was declared', async () => {
    const { _id } = await insert({ body: { items: [] } })
    const { body } = await read(_id, 'editor')
    expect(body).toMatchObject({
      _rendered: '',
      _edit: true,
      field: { _id: 'doc.story.body', moduleName: 'story', name: 'body' },
      options: { widgets: { '@cms/layout': { columns: 6 } } },
    })
    expect(body.choices).toContainEqual({ name: 'quote', label: 'Quote' })
  })
})

describe.each(['@cms', '@apostrophecms'] as const)('§2.13 links of rich text as %s', (namespace) => {
  describeService('', { isLong: true, site: site(namespace) }, (service: Service) => {
    const shown = async (content: string) => {
      const body = { items: [{ type: `${namespace}/rich-text`, content }] }
      const story = (await service.editor.post('story', { title: 'Story', body })).body
      expect(story.body.items[0]).toMatchObject({ permalinkIds: expect.any(Array), imageIds: expect.any(Array) })
      const rendered = (await service.anonymous.get(`story/${story._id}`, 'render-areas=1')).body.body._rendered
      return { rendered, widget: story.body.items[0] }
    }

    it('§2.13 links and images lead where their documents are', async () => {
      const given = { type: 'chapter', title: 'A & <b>', _targetId: '_home', _position: 'lastChild' }
      const { aposDocId } = (await service.editor.post(`${namespace}/page`, given)).body
      const attachment = (
        await upload(service, 'editor', await (await import('../../../test/media.ts')).jpeg(), 'p.jpg', namespace)
      ).body
      const image = (await service.editor.post(`${namespace}/image`, { title: 'I', attachment })).body
      const { rendered, widget } = await shown(
        `<p><a href="#apostrophe-permalink-${aposDocId}?updateTitle=1" target="_blank">old</a> ` +
          `<a href="#apostrophe-permalink-${aposDocId}?updateTitle=0">kept</a> <a href="https://e.org">out</a></p>` +
          `<figure><img src="/api/v1/${namespace}/image/${image.aposDocId}/src" alt="x" /></figure>`,
      )
      expect(widget).toMatchObject({ permalinkIds: [aposDocId], imageIds: [image.aposDocId] })
      expect(rendered).toContain('<a href="/a-b" target="_blank">A &amp; &lt;b&gt;</a> <a href="/a-b">kept</a>')
      expect(rendered).toContain('<a href="https://e.org">out</a>')
      expect(rendered).toContain(
        `<img src="${image.attachment._urls.full}" width="400" height="200" loading="lazy" alt="x" />`,
      )
    })

    it('§2.13 what leads nowhere loses its link, but not its text', async () => {
      const nobody = '01aaaaaaaaaaaaaaaaaaaaaaaa'
      const { rendered } = await shown(
        `<p>1 <a href="#apostrophe-permalink-${nobody}?updateTitle=1">two <strong>three</strong></a></p>` +
          `<figure><img src="/api/v1/${namespace}/image/${nobody}/src" alt="x" /></figure><p>4</p>`,
      )
      expect(rendered).toBe('<div data-rich-text><p>1 two <strong>three</strong></p><figure></figure><p>4</p></div>')
    })
  })
})
