import { beforeAll, expect, it } from 'vitest'
import { defineSite, html, page, piece } from '../src/index.ts'
import { openBrowser } from './browser.ts'
import { sampledDatabases } from './databases.ts'
import { callerOf, describeService } from './service.ts'

const book = piece('book', {
  publicApiProjection: ['title', 'year'],
  fields: { add: { year: { type: 'integer', min: 1450 } } },
})
const note = piece('note', { fields: { add: {} } })
const site = defineSite({ name: 'Shelf', types: [book, note], prefix: '/site', baseUrl: 'https://shelf.example' })
const on = sampledDatabases('service-index')

describeService('GET /api/v1', { site, on }, (service) => {
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${service.address}${path}`, { headers })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const namesFor = async (key?: string) => {
    const { text } = await get('/site/api/v1', key === undefined ? {} : { Authorization: `Bearer ${key}` })
    return (JSON.parse(text) as { types: { name: string }[] }).types.map(({ name }) => name)
  }

  it('§0.13 names what the caller may read, and where the interface is described', async () => {
    const { status, text } = await get('/site/api/v1')
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        name: 'Shelf',
        types: [
          { name: 'book', label: 'Book', url: '/site/api/v1/book' },
          { name: '@cms/image', label: 'Image', url: '/site/api/v1/@cms/image' },
          { name: '@cms/file', label: 'File', url: '/site/api/v1/@cms/file' },
        ],
        locales: '/site/api/v1/@cms/i18n/locales',
        login: '/site/api/v1/@cms/login/login',
        openapi: '/site/api/v1/openapi.json',
        docs: '/site/api/v1/docs',
      },
    ])
    expect(await namesFor('key-guest')).toEqual(['book', '@cms/image', '@cms/file'])
    expect(await namesFor('key-contributor')).toEqual(expect.arrayContaining(['note', '@cms/global']))
    expect(await namesFor('key-contributor')).not.toContain('@cms/user')
    expect(await namesFor('key-admin')).toContain('@cms/user')
  })

  it('§0.13 every link leads to something, for whoever sees it', async () => {
    for (const key of [null, 'key-contributor', 'key-admin']) {
      const headers: Record<string, string> = key === null ? {} : { Authorization: `Bearer ${key}` }
      const { types, login, name: _, ...links } = JSON.parse((await get('/site/api/v1', headers)).text)
      for (const url of [...Object.values<string>(links), ...types.map(({ url }: { url: string }) => url)])
        expect([url, (await get(url, headers)).status]).toEqual([url, 200])
      expect((await fetch(service.address + login, { method: 'POST' })).status).toBe(400)
    }
  })

  it('§0.13 browsers get a page, with a policy that lets nothing in', async () => {
    const { headers, text } = await get('/site/api/v1', { Accept: 'text/html,*/*;q=0.8' })
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(headers.get('vary')).toContain('Accept')
    expect(text).toContain('<a href="/site/api/v1/docs">')
    expect(text).toContain('<a href="/site/api/v1/book">Book</a>')
    expect(text).not.toContain('note')
  })

  it('§4.2b / of a site without templates leads on, too: programs and browsers in turn', async () => {
    for (let round = 0; round < 2; round += 1) {
      const forBrowser = await get('/site/', { Accept: 'text/html' })
      expect(forBrowser.text).toContain('<a href="/site/api/v1/docs">')
      const forProgram = await get('/site/', { Accept: 'application/json' })
      expect(JSON.parse(forProgram.text)).toMatchObject({ name: 'Shelf', docs: '/site/api/v1/docs' })
      expect((await get('/site/')).headers.get('content-type')).toBe('text/html; charset=utf-8')
      for (const { headers } of [forBrowser, forProgram]) {
        const names = headers.get('vary')?.split(', ') ?? []
        expect(names).toEqual(expect.arrayContaining(['Accept', 'Apos-External-Front-Key']))
      }
    }
  })
})

describeService('GET / of a site with templates', { on, site: withTemplates() }, (service) => {
  it('§4.2b is its home page for all', async () => {
    for (const Accept of ['text/html', 'application/json']) {
      const text = await (await fetch(service.address, { headers: { Accept } })).text()
      expect(text).toContain('Welcome')
      expect(text).not.toContain('/api/v1')
    }
  })
})

function withTemplates() {
  return defineSite({ types: [page('@cms/home-page', { render: () => html`Welcome`, fields: { add: {} } })] })
}

describeService('GET /api/v1/docs', { site, on, timeout: 60_000 }, (service) => {
  beforeAll(async () => {
    await callerOf(`${service.address}/site`, 'key-editor', null).post('book', { title: 'Walden', year: 1854 })
  })

  it('§0.13 shows what the caller may know of, and sends requests, under a strict policy and to nobody else', async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      page.setDefaultTimeout(10_000)
      const foreign: string[] = []
      const said: string[] = []
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(service.address) && !url.startsWith('data:')) foreign.push(url)
      })
      page.on('console', (message) => said.push(message.text()))
      page.on('pageerror', (error) => said.push(String(error)))
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.goto(`${service.address}/site/api/v1/docs`)
      await page.getByText('OAS 3.1').waitFor()
      await page.locator('html.dark-mode').waitFor()
      await page.emulateMedia({ colorScheme: 'light' })
      await page.locator('html:not(.dark-mode)').waitFor()
      await page.locator('#operations-tag-book').click()
      await page.locator('[id$=".list"][id*="-book-"]').click()
      await page.locator('[id$=".list"][id*="-book-"] .execute').click()
      const answered = page.locator('[id$=".list"][id*="-book-"] .live-responses-table')
      await answered.getByText('Walden').first().waitFor()
      expect(await page.locator('#operations-tag-note').count()).toBe(0)

      await page.locator('.auth-wrapper .authorize').first().click()
      await page.locator('.auth-container input').first().fill('key-editor')
      await page.locator('.auth-container .authorize').first().click()
      await page.locator('.btn-done').first().click()
      await page.locator('#operations-tag-note').waitFor()
      await page.locator('[id$=".insert"][id*="-book-"] .authorization__btn').waitFor()
      expect(await page.locator('[id$=".list"][id*="-book-"] .authorization__btn').count()).toBe(0)
      expect(foreign).toEqual([])
      expect(said).toEqual([])
    } finally {
      await browser.close()
    }
  })

  it('§0.13 its files never change under one name, and come compressed', async () => {
    const text = await (await fetch(`${service.address}/site/api/v1/docs`)).text()
    const files = [...text.matchAll(/\/site\/api\/v1\/docs\/[^"]+/g)].map(([url]) => url)
    expect(files).toHaveLength(3)
    for (const url of files) {
      const { status, headers } = await fetch(service.address + url, { headers: { 'Accept-Encoding': 'gzip' } })
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
      expect(headers.get('content-encoding')).toBe('gzip')
    }
    for (const name of ['swagger-ui-bundle.js', '..%2F..%2Fpackage.json'])
      expect((await fetch(`${service.address}/site/api/v1/docs/${name}`)).status).toBe(404)
  })
})
