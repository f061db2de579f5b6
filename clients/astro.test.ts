import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../cms/test/browser.ts'
import { testDatabases } from '../cms/test/databases.ts'
import { isWhole } from '../cms/test/sample.ts'
import { type SecureServer, secureServer } from '../cms/test/secure-server.ts'
import { callerOf, type Service, startService } from '../cms/test/service.ts'
import { testEditedDrafts } from './astro-edited.ts'
import { testStaticExport } from './astro-export.ts'
import { type AstroSite, installAstro, startAstro } from './astro-project.ts'
import { testHostileTexts } from './astro-xss.ts'
import { Editor } from './editor.ts'
import { fillFrontEnd, VIDEO_URL } from './front-end-content.ts'
import { type FrontEndOptions, frontEndSite } from './front-end-site.ts'
import { shownPage } from './shown-page.ts'

// The unmodified @apostrophecms/apostrophe-astro in clients/astro, built and served in front of the service. What it
// needs is installed for these tests alone, which belong to `npm run test:all`.

const FRONT_KEY = 'front-key'
const VIDEO_HTML = '<iframe src="https://video.example.org/embed/1" onload="alert(1)"></iframe>'
const NOTHING = /<h1>Nothing here<\/h1>/

describe.runIf(isWhole)('§4.2b an Astro site in front of the service', { timeout: 120_000 }, () => {
  let videos: SecureServer
  let browser: Browser
  beforeAll(async () => {
    await installAstro()
    browser = await openBrowser()
    videos = await secureServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ type: 'video', title: 'A video', html: VIDEO_HTML }))
    })
  }, 300_000)
  afterAll(async () => {
    await videos?.close()
    await browser?.close()
  })

  describe('nothing that people write runs', testHostileTexts)
  describe('drafts in the editor', testEditedDrafts)
  describe('a static export', testStaticExport)

  describe.each<FrontEndOptions>([{}, { prefix: '/site', static: true }])('%o', (options) => {
    const prefix = options.prefix ?? ''
    let service: Service
    let astro: AstroSite
    beforeAll(async () => {
      const [database] = testDatabases
      if (database === undefined) throw new Error('There is a database to test on.')
      const site = frontEndSite({ ...options, videos: `${videos.address}/oembed` })
      service = await startService(database, { site, frontKey: FRONT_KEY, embedNetworks: ['127.0.0.0/8', '::1/128'] })
      await fillFrontEnd(service.address + prefix)
      const person = { username: 'eve', password: 'a-password-of-eve', role: 'editor', firstName: 'Eve' }
      await callerOf(service.address + prefix, 'key-admin', null).post('@apostrophecms/user', person)
      astro = await startAstro({
        name: prefix.slice(1) || 'plain',
        service: service.address,
        frontKey: FRONT_KEY,
        prefix,
      })
    }, 120_000)
    afterAll(async () => {
      await astro?.stop()
      await service?.stop()
    })

    const fetched = (path: string, headers: Record<string, string> = {}) =>
      fetch(new URL(prefix + path, astro.address), { redirect: 'manual', headers })
    const shown = (path: string, headers?: Record<string, string>) =>
      shownPage(new URL(prefix + path, astro.address), headers)

    test('§4.2b the home page has its navigation, two levels deep, its widgets, and the global document', async () => {
      const { status, html, links } = await shown('/')
      expect(status).toBe(200)
      expect(html).toMatch(/<html lang="en" dir="ltr">/)
      expect(html).toContain('<title>Home</title>')
      expect(html).toContain('<h1>Home</h1>')
      expect(html).toContain('Colophon')
      expect(links).toEqual(
        expect.arrayContaining([
          `${prefix}/ Home`,
          `${prefix}/about About`,
          `${prefix}/about/team Team`,
          `${prefix}/blog Blog`,
          `${prefix}/new-name New name`,
        ]),
      )
      expect(html).toContain('<h2>Welcome</h2><p>Read <a href="https://example.org/">more</a>.</p>')
      expect(html).toContain(`<video-widget url="${VIDEO_URL}">`)
      expect(html).toContain('So it goes &lt;again&gt;<cite>Ann Other</cite>')
    })

    test('§4.2b what visitors may not see is not in the navigation, and not found', async () => {
      const { links } = await shown('/')
      expect(links.join()).not.toMatch(/Members|Gone|Archive/)
      for (const path of ['/members', '/gone', '/archive/gone', '/archive', '/nowhere', '/about/nowhere']) {
        const { status, html } = await shown(path)
        expect({ path, status, isNothing: NOTHING.test(html) }).toEqual({ path, status: 404, isNothing: true })
      }
    })

    test('§4.3 an image is shown as cropped, in all sizes that its srcset names', async () => {
      const { html, sources } = await shown('/')
      expect(html).toMatch(/<img[^>]*alt="Moss on a stone" width="600" height="500" style="object-position: 25% 75%"/)
      expect(html).toContain('Moss &amp; stone')
      expect(html).toMatch(new RegExp(`<a href="${prefix}/about"[^>]*>\\s*<img`))
      expect(sources.length).toBe(6)
      for (const url of sources) {
        expect(url).toContain('.600.500.')
        const response = await fetch(new URL(url, astro.address))
        expect({ url, status: response.status, type: response.headers.get('content-type') }).toEqual({
          url,
          status: 200,
          type: 'image/jpeg',
        })
      }
    })

    test('§4.3 a file widget links to the file', async () => {
      const { links } = await shown('/')
      const file = links.find((link) => link.endsWith(' The plan'))?.split(' ')[0] ?? ''
      expect(file).toMatch(new RegExp(`^${prefix}/uploads/attachments/.*-plan\\.pdf$`))
      const response = await fetch(new URL(file, astro.address))
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    })

    test('§2.18 columns stand where the layout puts them, with the styles for it', async () => {
      const { html } = await shown('/')
      expect(html).toMatch(/--grid-columns: ?12/)
      expect(html).toMatch(/--colstart: ?1;--colspan: ?8;/)
      expect(html).toMatch(/data-visible-mobile="false"[^>]*--colstart: ?9;--colspan: ?4;/)
      expect(html).toContain('<p>Wide column</p>')
      const [head = ''] = html.split('</head>')
      expect(head).toMatch(/<style[^>]*>[^<]*\.layout-widget/)
    })

    test('§4.2 a nested page knows the pages above it', async () => {
      const { status, html, links } = await shown('/about/team')
      expect(status).toBe(200)
      expect(html).toContain('<h2>Who we are</h2>')
      const [trail = ''] = /<p class="trail">.*?<\/p>/s.exec(html) ?? []
      expect(trail).toContain('About')
      expect(links).toContain(`${prefix}/about About`)
    })

    test('§4.2b an index page is shown page by page', async () => {
      const first = await shown('/blog')
      expect(first.titles).toEqual(['Post 5', 'Post 4'])
      expect(first.html).toContain('5 posts, page 1 of 3')
      const third = options.static ? '/blog/page/3' : '/blog?page=3'
      expect(first.links).toContain(`${prefix}${third} 3`)
      for (const path of ['/blog?page=3', ...(options.static ? ['/blog/page/3'] : [])]) {
        expect({ path, titles: (await shown(path)).titles }).toEqual({ path, titles: ['Post 1'] })
      }
      expect((await shown('/blog?page=4')).status).toBe(404)
    })

    test('§4.2b an index page is filtered by the values that are in use', async () => {
      const { links } = await shown('/blog')
      const essays = links.find((link) => link.endsWith(' Essays'))?.split(' ')[0] ?? ''
      expect(essays).toBe(`${prefix}${options.static ? '/blog/section/essay' : '/blog?section=essay'}`)
      expect(links.some((link) => link.endsWith(' Reviews'))).toBe(false)
      const filtered = await shown(essays.slice(prefix.length))
      expect(filtered.titles).toEqual(['Post 4', 'Post 2'])
      expect(filtered.html).toMatch(/aria-current="true"[^>]*>\s*Essays/)
      expect((await shown('/blog?author=ann-other')).titles).toEqual(['Post 1'])
    })

    test('§4.2b a piece has a page of its own, with its neighbours', async () => {
      const { status, html, links } = await shown('/blog/post-2')
      expect(status).toBe(200)
      expect(html).toContain('<title>Post 2</title>')
      expect(html).toContain('<p>Text of post 2.</p>')
      expect(links).toEqual(
        expect.arrayContaining([`${prefix}/blog Blog`, `${prefix}/blog/post-1 Post 1`, `${prefix}/blog/post-3 Post 3`]),
      )
      expect((await shown('/blog/post-1')).html).toContain('<p class="authors">Ann Other</p>')
      expect((await shown('/blog/post-9')).status).toBe(404)
    })

    test('§4.5 pages in another language, and the way there and back', async () => {
      const { html, links } = await shown('/about')
      expect(html).toMatch(/aria-current="true"[^>]*>\s*English/)
      expect(links).toEqual(expect.arrayContaining([`${prefix}/about English`, `${prefix}/fr/about Français`]))
      const french = await shown('/fr/about')
      expect(french.html).toMatch(/<html lang="fr"/)
      expect(french.html).toContain('<h1>À propos</h1>')
      expect(french.links).toContain(`${prefix}/about English`)
      expect((await shown('/fr/')).html).toContain('<h1>Accueil</h1>')
      // There is no team in French: the switch leads home.
      const [team] = (await shown('/about/team')).links.filter((link) => link.endsWith(' Français'))
      expect(team).toBe(`${prefix}/fr/ Français`)
    })

    test.each([
      ['/About', '/about', 302],
      ['/old-name', '/new-name', 302],
    ])('§4.2b %s redirects to %s', async (from, to, status) => {
      const response = await fetched(from)
      expect([response.status, response.headers.get('location')]).toEqual([status, to])
    })

    test.each(['/about/', '/blog/?page=3', '/fr', '/fr/'])(
      '§4.2b %s is shown with or without a slash',
      async (path) => {
        expect((await shown(path)).status).toBe(200)
      },
    )

    test('§4.6 HEAD is answered', async () => {
      const response = await fetch(new URL(`${prefix}/about`, astro.address), { method: 'HEAD' })
      expect([response.status, await response.text()]).toEqual([200, ''])
    })

    test('§0.6 the interface can be called through the front end, by any caller', async () => {
      const list = await fetched('/api/v1/@apostrophecms/blog?perPage=2&sort[publishedAt]=-1')
      const { results } = (await list.json()) as { results: { title: string; _url: string }[] }
      expect(results.map(({ title, _url }) => `${_url} ${title}`)).toEqual([
        `${prefix}/blog/post-5 Post 5`,
        `${prefix}/blog/post-4 Post 4`,
      ])
      expect((await fetched('/api/v1/@apostrophecms/user')).status).toBe(401)
      const asked = await fetched('/api/v1/@apostrophecms/user', { authorization: 'ApiKey key-admin' })
      expect(asked.status).toBe(200)
      const oembed = await fetched('/api/v1/@apostrophecms/oembed/query?url=https%3A%2F%2Funknown.example%2F1')
      expect([oembed.status, ((await oembed.json()) as { name: string }).name]).toEqual([400, 'invalid'])
    })

    test('§4.2b a browser shows the page: nothing that it needs is forbidden', async () => {
      const page = await browser.newPage()
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => {
        // The frame of the video leads nowhere.
        if (message.type() === 'error' && !message.location().url.startsWith('https://video.example.org/'))
          complaints.push(message.text())
      })
      await page.goto(new URL(`${prefix}/`, astro.address).href)
      const frame = page.locator('video-widget iframe')
      await frame.waitFor({ state: 'attached' })
      expect(await frame.getAttribute('src')).toBe('https://video.example.org/embed/1')
      expect(await frame.getAttribute('onload')).toBeNull()
      const image = page.locator('figure img')
      await expect.poll(() => image.evaluate((element) => Reflect.get(element, 'naturalWidth'))).toBeGreaterThan(0)
      const columns = await page.locator('.layout-widget > div').all()
      const [wide, narrow] = await Promise.all(columns.map((column) => column.boundingBox()))
      expect(wide?.y).toBe(narrow?.y)
      expect(wide?.width).toBeGreaterThan(narrow?.width ?? Number.POSITIVE_INFINITY)
      expect(complaints).toEqual([])
      await page.close()
    })

    const KEY_HEADERS = { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY }
    const posted = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(new URL(`${prefix}/api/v1/@apostrophecms/${path}`, astro.address), {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: astro.address, ...headers },
        body: JSON.stringify(body),
      })
    /** The cookies of a session of Eve, an editor. */
    async function signedIn(): Promise<string> {
      const person = { username: 'eve', password: 'a-password-of-eve' }
      const answer = await posted('login/login', { ...person, session: true })
      expect(answer.status).toBe(200)
      return answer.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ')
    }

    test('§5.6 editors sign in through the front end, and get the page with what editing needs', async () => {
      const { html, headers } = await shown('/about?aposEdit=1&aposMode=draft', { cookie: await signedIn() })
      expect(html).toContain('id="apos-admin-bar"')
      expect(html).toMatch(/data-apos="[^"]*&quot;username&quot;:&quot;eve&quot;/)
      expect(html).toContain('data-apos-area-newly-editable')
      expect(html).not.toContain('a-password-of-eve')
      expect(headers.get('cache-control')).toBe('no-store')
      expect((await shown('/about')).html).not.toMatch(/data-apos|apos-admin-bar/)
    })

    test('§4.2b a widget that is edited is drawn by the front end, cleaned before', async () => {
      const cookie = await signedIn()
      const path = `${prefix}/about?aposEdit=1&aposMode=draft`
      const answer = await fetch(service.address + path, { headers: { ...KEY_HEADERS, cookie } })
      const { page } = (await answer.json()) as { page: { _id: string; main: { field: { _id: string } } } }
      const type = '@apostrophecms/rich-text'
      const widget = { type, content: '<p>New <script>alert(1)</script>words</p>' }
      const body = { _docId: page._id, widget, areaFieldId: page.main.field._id, type }
      const drawn = await posted('area/render-widget?aposEdit=1&aposMode=draft', body, { cookie })
      expect(drawn.status).toBe(200)
      expect(await drawn.text()).toMatch(/<div class="rich-text"[^>]*><p>New words<\/p><\/div>/)
    })

    test('§4.2b every widget of every page can be drawn as it is, wherever it lies', async () => {
      const cookie = await signedIn()
      const wrong: string[] = []
      const types = new Set<string>()
      for (const path of ['/', '/about', '/blog', '/blog/first']) {
        const answer = await fetch(`${service.address}${prefix}${path}?aposEdit=1&aposMode=draft`, {
          headers: { ...KEY_HEADERS, cookie },
        })
        for (const area of areasIn(await answer.json())) {
          const { field, choices, items, _id } = area
          if (field === undefined || choices === undefined)
            wrong.push(`${path}: the area ${_id} has no field or choices`)
          for (const widget of items) {
            types.add(widget.type)
            const body = { _docId: area._docId, widget, areaFieldId: field?._id, type: widget.type }
            for (const query of ['?aposEdit=1&aposMode=draft', '?aposEdit=1']) {
              const drawn = await fetch(`${astro.address}${prefix}/api/v1/@apostrophecms/area/render-widget${query}`, {
                method: 'POST',
                // Not every program names where it comes from.
                headers: { 'content-type': 'application/json', cookie },
                body: JSON.stringify(body),
              })
              const html = await drawn.text()
              if (drawn.status !== 200 || html.trim() === '' || html.includes('Unable to render'))
                wrong.push(`${path} ${widget.type}${query}: ${drawn.status} ${html.slice(0, 200)}`)
            }
          }
        }
      }
      expect(wrong).toEqual([])
      expect(types.size).toBeGreaterThan(5)
    })

    test('§4.2b what is changed shows at once', async () => {
      const editor = new Editor(service.address + prefix)
      await editor.changeGlobal({ footer: 'Changed' })
      expect((await shown('/about')).html).toContain('Changed')
      await editor.changeGlobal({ footer: 'Colophon' })
    })

    test('§4.2b in all this the integration has nothing to complain of', () => {
      expect(astro.printed()).not.toMatch(/error|warn|missing|not found/i)
    })
  })
})

/** An area of a front end's answer, as an editor of it gets it. */
interface EditedArea {
  readonly _id: string
  readonly _docId: string
  readonly field?: { readonly _id: string }
  readonly choices?: readonly object[]
  readonly items: readonly { readonly type: string }[]
}

/** All areas that the caller may edit, also those inside of widgets. */
function areasIn(value: unknown): EditedArea[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(areasIn)
  // `as`: what has this type is an area.
  return Reflect.get(value, 'metaType') === 'area' && Reflect.get(value, '_edit')
    ? [value as EditedArea, ...inner]
    : inner
}
