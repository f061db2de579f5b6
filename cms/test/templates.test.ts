import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { defineSite, findPieces, html, page, piece, raw, type SiteDeclaration, widget } from '../src/index.ts'
import type { AreaWidgets } from '../src/model/declared/declared-fields.ts'
import { sampledDatabases } from './databases.ts'
import { describeService, type Service, startService } from './service.ts'
import { FRONT_KEY, visit } from './visits.ts'

const folder = await mkdtemp(join(tmpdir(), 'quire-templates-'))
const templates = join(folder, 'templates')
const write = async (name: string, text: string) => {
  await mkdir(dirname(join(templates, name)), { recursive: true })
  await writeFile(join(templates, name), text)
}
await write(
  'layout.njk',
  `{% extends data.outerLayout %}
{% block title %}{{ (data.piece or data.page).title }} | Site{% endblock %}
{% block extraHead %}<link rel="stylesheet" href="/site.css">{% endblock %}
{% block beforeMain %}<nav>{% include "parts/menu.njk" %}</nav>{% endblock %}
{% block afterMain %}<footer>{{ data.locale }}</footer>{% endblock %}`,
)
await write('parts/menu.njk', '<a href="{{ data.home._url }}">{{ data.home.title }}</a>')
await write(
  'pages/file.njk',
  `{% extends "layout.njk" %}
{% block main %}<h1>{{ data.page.title }}</h1>{% area data.page.body %}{{ data.data.loaded }} {{ scene.data.loaded }}
<time>{{ data.page.day | date('long') }}</time><a href="{{ data.url | build({ page: 2 }) }}">2</a>
<a href="{{ data.page.intro | url }}">bad</a><script>const page = {{ data.page.title | json }}</script>
{{ data.page.missing.deeper }}{% endblock %}`,
)
await write('pages/plain.njk', '<h1>{{ data.page.title }}</h1>')
await write('widgets/quote.njk', '<q>{{ data.widget.words }} {{ data.page.title }} {{ data.data }}</q>')
await write(
  'pages/broken.njk',
  '{% extends "layout.njk" %}\n{% block main %}\n{{ data.page.title.nothing() }}{% endblock %}',
)
await write('pages/escape.njk', '{% include data.page.intro ignore missing %}inside')
await writeFile(join(folder, 'outside.njk'), 'OUTSIDE')
await mkdir(join(folder, 'templates-beside'))
await writeFile(join(folder, 'templates-beside/x.njk'), 'OUTSIDE')
await symlink(join(folder, 'outside.njk'), join(templates, 'link.njk'))
afterAll(() => rm(folder, { recursive: true }))

const fields = {
  add: {
    intro: { type: 'string' },
    day: { type: 'date' },
    body: { type: 'area', widgets: { quote: {}, failing: {}, '@cms/rich-text': {} } },
  },
} as const

const quote = widget('quote', {
  fields: { add: { words: { type: 'string' } } },
  data: async (_ctx, widgets) => widgets.map((_, index) => index + 1),
  template: 'widgets/quote.njk',
})
const failing = widget('failing', {
  fields: { add: { how: { type: 'string' } } },
  render: ({ how }, scene) => {
    if (how === 'by itself') return scene.area(scene.page?.page?.body as never)
    throw new Error(`it failed ${how}`)
  },
})

const types = [
  page('@cms/home-page', { fields: { add: { body: fields.add.body } } }),
  page('by-file', {
    fields,
    data: async (_ctx, { page }) => ({ loaded: `loaded for ${page.title}` }),
    template: 'pages/file.njk',
  }),
  page('by-function', {
    fields,
    data: async ({ actor }, { page }) => ({ who: `${actor.kind} at ${page.title}` }),
    render: ({ page }, { area, data }) => html`<h1>${page.title}</h1>${area(page.body)}<p>${data.who}</p>`,
  }),
  page('searching', {
    // Whatever was sent: what a search can be is checked by the list.
    data: async (ctx, { query }) => findPieces(ctx, 'story', { search: query.q ?? '' }),
    render: (_data, { data }) => html`${data.total} found`,
  }),
  page('plain-file', { fields, template: 'pages/plain.njk' }),
  page('broken', { fields, template: 'pages/broken.njk' }),
  page('escape', { fields, template: 'pages/escape.njk' }),
  page('no-template', { fields }),
  piece('story', { publicApiProjection: ['title', 'slug', '_url'], fields: { add: { teaser: { type: 'string' } } } }),
  page('stories', {
    piecesType: 'story',
    index: {
      data: async () => 'listed',
      render: ({ pieces = [] }, { data }) =>
        html`<ol>${pieces.map(({ title }) => html`<li>${title}</li>`)}</ol>${data}`,
    },
    show: { render: ({ piece, page }) => html`<h2>${piece?.title}</h2><small>${page.title}</small>` },
  }),
]

/** The site with another layout. */
const siteWith = (more: object): SiteDeclaration =>
  defineSite({ name: 'Test', types, widgets: [quote, failing], templates, ...more } as Parameters<typeof defineSite>[0])

const made = async (service: Service, type: string, given: object = {}) => {
  const body = { type, title: `A <${type}>`, _targetId: '_home', _position: 'lastChild', ...given }
  const { status, body: answer } = await service.editor.post('@cms/page', body)
  expect(status).toBe(200)
  return { url: String(answer._url), id: String(answer._id) }
}
const area = (...words: string[]) => ({ body: { items: words.map((one) => ({ type: 'quote', words: one })) } })

describeService('§4.2b templates', { isLong: true, site: siteWith({ layout: 'layout.njk' }) }, (service) => {
  it('§4.2b a file renders a page in the site’s layout; everything is escaped', async () => {
    const { url } = await made(service, 'by-file', {
      ...area('a & b', 'c'),
      day: '2026-05-04',
      intro: 'javascript:alert(1)',
    })
    const { text, status } = await visit(service, url)
    expect(status).toBe(200)
    expect(text).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/)
    expect(text).toContain('<title>A &lt;by-file&gt; | Site</title>')
    expect(text).toContain('<link rel="stylesheet" href="/site.css">')
    expect(text).toContain('<nav><a href="/">Home</a></nav>')
    expect(text).toContain('<main id="main"><h1>A &lt;by-file&gt;</h1>')
    expect(text).toContain('<q>a &amp; b A &lt;by-file&gt; 1</q><q>c A &lt;by-file&gt; 2</q>')
    expect(text).toContain('loaded for A &lt;by-file&gt; loaded for A &lt;by-file&gt;')
    expect(text).toContain(`<time>May 4, 2026</time><a href="${url}?page=2">2</a>`)
    expect(text).toContain('<a href="#">bad</a><script>const page = "A \\u003cby-file\\u003e"</script>')
    expect(text).toContain('<footer>en</footer>')
  })

  it('§4.2b aposRefresh is what lies in the refreshable part, with the layout’s blocks', async () => {
    const { url } = await made(service, 'by-file', area('x'))
    const whole = (await visit(service, url)).text
    const part = (await visit(service, `${url}?aposRefresh=1`)).text
    expect(part.trim()).toMatch(/^<nav>[\s\S]*<main id="main">[\s\S]*<\/main>\n<footer>en<\/footer>$/)
    const [, region = ''] = /<div data-quire-refreshable>\n([\s\S]*)\n<\/div>/.exec(whole) ?? []
    expect(part.replaceAll('?aposRefresh=1&amp;page', '?page')).toBe(region)
  })

  it('§4.2b functions and files without blocks render what goes into the layout', async () => {
    const byFunction = (await visit(service, (await made(service, 'by-function', area('x'))).url)).text
    expect(byFunction).toContain('<main id="main"><h1>A &lt;by-function&gt;</h1><q>x')
    expect(byFunction).toContain('<p>anonymous at A &lt;by-function&gt;</p></main>\n<footer>en</footer>')
    const plain = (await visit(service, (await made(service, 'plain-file')).url)).text
    expect(plain).toContain('<main id="main"><h1>A &lt;plain-file&gt;</h1></main>\n<footer>en</footer>')
  })

  it('§4.2b a search that data cannot make is the visitor’s mistake, and no failure', async () => {
    const { url } = await made(service, 'searching')
    expect(await visit(service, `${url}?q=story`)).toMatchObject({ status: 200 })
    for (const query of [`q=${'a'.repeat(501)}`, 'q[]=a', 'q=a&q=b']) {
      const { status, headers } = await visit(service, `${url}?${query}`)
      expect({ query, status, type: headers.get('content-type') }).toEqual({
        query,
        status: 400,
        type: 'text/html; charset=utf-8',
      })
    }
    expect(service.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('§4.2b an index page has a template of its own, and so have its pieces', async () => {
    const { url } = await made(service, 'stories')
    await service.editor.post('story', { title: 'One & only' })
    expect((await visit(service, url)).text).toContain('<ol><li>One &amp; only</li></ol>listed</main>')
    expect((await visit(service, `${url}/one-only`)).text).toContain(
      '<h2>One &amp; only</h2><small>A &lt;stories&gt;</small></main>',
    )
  })

  it('§4.2b a type without a template shows its title and its areas', async () => {
    const { url } = await made(service, 'no-template', area('x'))
    expect((await visit(service, url)).text).toContain('<main id="main"><h1>A &lt;no-template&gt;</h1><q>x')
  })

  it('§4.2b nothing outside of the folder is included, whatever is named', async () => {
    for (const intro of ['../outside.njk', '../templates-beside/x.njk', 'link.njk', join(folder, 'outside.njk')]) {
      const { url } = await made(service, 'escape', { intro })
      const { text } = await visit(service, url)
      expect(text).not.toContain('OUTSIDE')
      expect(text).toContain('inside')
    }
  })

  it('§4.2b a template that fails is logged with its line and document, and visitors do not see why', async () => {
    const { url, id } = await made(service, 'broken')
    const { status, text } = await visit(service, url)
    expect(status).toBe(500)
    expect(text).toContain('<h1>Something went wrong</h1>')
    expect(text).not.toContain('nothing')
    expect(service.logged.at(-1)).toMatchObject({
      level: 'error',
      message: 'A template failed.',
      data: { template: 'types.broken', place: 'pages/broken.njk:3', document: id },
    })
  })

  it('§4.2b of what fails inside of other templates, the innermost is named', async () => {
    const { url, id } = await made(service, 'by-file', { body: { items: [{ type: 'failing', how: '<at once>' }] } })
    expect((await visit(service, url)).status).toBe(500)
    const { data } = service.logged.at(-1) ?? {}
    expect(data).toMatchObject({ template: 'widgets.failing', document: id })
    expect(data).toMatchObject({ place: expect.stringMatching(/templates\.test\.ts:\d+$/) })
  })

  it('§8 a widget that renders the area it lies in is an error, and not the end', async () => {
    const { url } = await made(service, 'by-file', { body: { items: [{ type: 'failing', how: 'by itself' }] } })
    expect((await visit(service, url)).status).toBe(500)
    expect(service.logged.at(-1)?.data).toMatchObject({ template: 'widgets.failing' })
  })

  it('§4.2 PUT and PATCH answer areas as HTML too, but what was stored is never answered as a failure', async () => {
    const { id } = await made(service, 'by-function')
    const patch = (items: object[]) => service.editor.patch(`@cms/page/${id}`, { body: { items } }, 'render-areas=1')
    expect((await patch([{ type: 'quote', words: 'new' }])).body.body._rendered).toContain('<q>new')
    const failed = await patch([{ type: 'failing', how: 'after a write' }])
    expect([failed.status, failed.body.body.items.length]).toEqual([200, 1])
    expect(service.logged.at(-1)?.data).toMatchObject({ template: 'widgets.failing' })
  })

  it('§4.2b the API answers a template that fails with 500, and no more', async () => {
    const { id } = await made(service, 'by-file', { body: { items: [{ type: 'failing', how: 'here' }] } })
    const { status, body } = await service.editor.get(`@cms/page/${id}`, 'render-areas=1')
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('it failed')
  })
})

function track(data: { appendHead: string }): void {
  data.appendHead += '<meta>'
}

const withFunctions = siteWith({
  layout: (content: unknown, { page }: { page: { title: string } | null }, scene: { slot(name: string): never }) =>
    html`<html><head>${scene.slot('appendHead')}</head><body><header>${page?.title}</header>${content as never}</body></html>`,
  notFound: { render: () => html`<h1>Lost</h1>` },
  error: { render: () => html`<h1>Sorry</h1>` },
  features: [{ name: 'tracking', hooks: { beforeSend: track } }],
})

describeService('§4.2b layouts', { site: withFunctions, on: sampledDatabases('layouts') }, (service) => {
  it('§4.2b a layout may be a function, around pages of either kind', async () => {
    for (const type of ['by-function', 'plain-file', 'no-template']) {
      const { url } = await made(service, type)
      const { text } = await visit(service, url)
      const title = `A &lt;${type}&gt;`
      expect(text).toMatch(
        `<html><head><meta></head><body><header>${title}</header><div data-quire-refreshable><main id="main"><h1>${title}</h1>`,
      )
      const part = (await visit(service, `${url}?aposRefresh=1`)).text
      expect(part.startsWith(`<main id="main"><h1>${title}</h1>`)).toBe(true)
    }
  })

  it('§4.2b the site has its own pages for what is not found and for failures', async () => {
    const lost = await visit(service, '/lost')
    expect([lost.status, lost.text]).toEqual([404, expect.stringContaining('<main id="main"><h1>Lost</h1>')])
    const { url } = await made(service, 'broken')
    const failed = await visit(service, url)
    expect([failed.status, failed.text]).toEqual([500, expect.stringContaining('<main id="main"><h1>Sorry</h1>')])
  })
})

describe.each(sampledDatabases('callers'))('§0.7 pages of people who are signed in on $name', (databases) => {
  it('§0.7 what one is answered is not answered to another of the same role', async () => {
    const database = await databases.createReady()
    const keys = ['Anna', 'Ben'].map((name) => ({ key: `key-${name}`, role: 'editor' as const, name }))
    const layout = (content: unknown, { user }: { user?: object }) =>
      html`<html><b>${(user as { title: string } | undefined)?.title}</b>${content as never}</html>`
    const who = widget('who', {
      data: async ({ actor }, widgets) => widgets.map(() => ('name' in actor ? actor.name : 'nobody')),
      render: (_who, { data }) => html`<i>${data}</i>`,
    })
    const note = piece('note', { fields: { add: { body: { type: 'area', widgets: { who: {} } } } } })
    const site = siteWith({ layout, types: [...types, note], widgets: [quote, failing, who] })
    const app = await createApp(site, { database: database.url, keys, frontKey: FRONT_KEY })
    const address = await app.listen(0, '127.0.0.1')
    const notes = `${address}/api/v1/note`
    const written = { method: 'POST', body: JSON.stringify({ title: 'Note', body: { items: [{ type: 'who' }] } }) }
    const asAnna = { authorization: 'ApiKey key-Anna', 'content-type': 'application/json' }
    await fetch(notes, { ...written, headers: asAnna })
    for (const { key, name } of [...keys, ...keys]) {
      const headers = { authorization: `ApiKey ${key}` }
      expect((await visit({ address }, '/', { headers })).text).toContain(`<b>${name}</b>`)
      expect((await visit({ address }, '/', { headers, front: true })).data.user.title).toBe(name)
      const rendered = await (await fetch(`${notes}?render-areas=1`, { headers })).text()
      expect(rendered).toContain(`<i>${name}</i>`)
    }
    expect((await visit({ address }, '/')).text).toContain('<b></b>')
    await app.close()
    await database.drop()
  })
})

const hostile = siteWith({ error: { render: () => html`${raw(undefined as never)}${{} as never}` } })
describeService('§4.2b failures', { site: hostile, on: sampledDatabases('failures') }, (service) => {
  it('§4.2b an error page that fails itself gives a plain one', async () => {
    const { url } = await made(service, 'broken')
    const { status, text } = await visit(service, url)
    expect([status, text]).toEqual([500, expect.stringContaining('Something went wrong')])
  })
})

const developed = { site: siteWith({ layout: 'layout.njk' }), development: true }
describeService('§4.2b development', { ...developed, on: sampledDatabases('development') }, (service) => {
  it('§4.2b a changed file is read again', async () => {
    const { url } = await made(service, 'plain-file')
    expect((await visit(service, url)).text).toContain('<h1>A &lt;plain-file&gt;</h1>')
    await write('pages/plain.njk', '<h1>Changed</h1>')
    expect((await visit(service, url)).text).toContain('<main id="main"><h1>Changed</h1>')
    await write('pages/plain.njk', '<h1>{{ data.page.title }}</h1>')
    expect((await visit(service, url)).text).toContain('<h1>A &lt;plain-file&gt;</h1>')
  })

  it('§4.2b what fails is shown in the page', async () => {
    const { url, id } = await made(service, 'broken')
    const { status, text } = await visit(service, url)
    expect(status).toBe(500)
    expect(text).toContain(`types.broken, pages/broken.njk:3, of ${id}`)
    // The place is where the site calls a library, not somewhere in it.
    await rename(join(templates, 'pages/plain.njk'), join(templates, 'pages/gone.njk'))
    const { text: missing } = await visit(service, (await made(service, 'plain-file')).url)
    await rename(join(templates, 'pages/gone.njk'), join(templates, 'pages/plain.njk'))
    expect(missing).toMatch(/types\.plain-file, of \S+ template not found: pages\/plain\.njk/)
  })
})

describe.each(sampledDatabases('dropped'))('§4.2b a widget type that the site dropped on $name', (databases) => {
  it('§4.2b renders nothing, is logged once, and breaks no page', async () => {
    const database = await databases.createReady()
    const again = { ...databases, createReady: async () => database }
    const body = (widgets: AreaWidgets) => ({ body: { type: 'area', widgets } }) as const
    const siteOf = (dropped: boolean) =>
      defineSite({
        types: [page('kept', { fields: { add: body(dropped ? { quote: {} } : { quote: {}, gone: {} }) } })],
        widgets: [quote, ...(dropped ? [] : [widget('gone', { fields: { add: { text: { type: 'string' } } } })])],
        templates,
      } as unknown as Parameters<typeof defineSite>[0])
    const before = await startService(again, { site: siteOf(false) })
    const items = ['a', 'b'].flatMap((words) => [
      { type: 'quote', words },
      { type: 'gone', text: 'hidden' },
    ])
    const { url } = await made(before, 'kept', { body: { items } })
    expect((await visit(before, url)).text).toContain('hidden')
    await before.app.close()
    const after = await startService(again, { site: siteOf(true) })
    for (const path of [url, `${url}?again`]) {
      const { status, text } = await visit(after, path)
      expect(status).toBe(200)
      expect(text).toMatch(/<q>a .*<q>b /s)
      expect(text).not.toContain('hidden')
    }
    expect(after.logged.filter(({ data }) => 'widget' in data)).toMatchObject([
      { level: 'warn', data: { widget: 'gone' } },
    ])
    await after.stop()
  })
})

describe('§4.2b a site whose templates are wrong is not served', () => {
  const start = (options: object) => createApp(siteWith(options), { database: `sqlite:${join(folder, 'never.db')}` })
  beforeAll(() => write('pages/syntax.njk', '{% if %}'))

  it.each([
    ['a file that is not there', { layout: 'nowhere.njk' }, 'layout: there is no file "nowhere.njk"'],
    ['a file that is no template', { error: { template: 'pages/syntax.njk' } }, 'error.template: (pages/syntax.njk)'],
    ['no folder', { templates: undefined }, "widgets.quote.template: needs the site's folder of templates"],
    ['a file outside of the folder', { layout: '../outside.njk' }, 'layout: must name a file below the folder'],
    ['neither function nor file', { notFound: {} }, 'notFound: needs a template'],
    ['both', { error: { render: () => html``, template: 'layout.njk' } }, 'error.template: there is a render function'],
    [
      'data without a template',
      { widgets: [widget('a', { data: async () => [] })] },
      'widgets.a.data: is for a template',
    ],
    [
      'a piece type with one',
      { types: [{ ...piece('a'), options: { render: () => html`` } }] },
      'types.a.render: only page types are rendered',
    ],
  ])('§2.17 %s', async (_, options, message) => {
    await expect(start(options)).rejects.toThrow(message)
  })
})
