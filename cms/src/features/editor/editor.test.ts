import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { sampledDatabases } from '../../../test/databases.ts'
import { testServer } from '../../../test/http-server.ts'
import { describeService } from '../../../test/service.ts'
import { send } from '../../../test/wire.ts'
import type { SitePlugins } from '../../http/pipeline/site-plugins.ts'
import { compileSite, defineSite, type SiteDeclaration } from '../../model/compile/site.ts'
import { ConfigurationError } from '../../model/terms/configuration-error.ts'

const site = defineSite({
  name: 'Moss & "Ink"',
  prefix: '/site',
  strict: true,
  locales: {
    en: { label: 'English', hostname: 'en.example.org' },
    fr: { label: 'Français', hostname: 'en.example.org', prefix: '/fr' },
  },
  editor: { path: '/desk/room' },
  richText: { imageHosts: ['*.pictures.example'] },
})
const BASE = '/site/desk/room'
/** Where uploads are fetched from. */
const UPLOADS = 'https://files.example.org/quire'
const on = sampledDatabases('editor')

describeService('§11 the editor', { site, on, uploadsUrl: UPLOADS }, (service) => {
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    send(service.address, { method, path, headers })
  const script = async () => /src="([^"]+\.js)"/.exec((await get(BASE)).text)?.[1] ?? ''

  test('its page is at its path and everywhere below, says where it is, and names whole addresses', async () => {
    const page = await get(BASE)
    expect(page.status).toBe(200)
    expect(page.text).toContain(
      'data-api="/site/api/v1" data-base="/site/desk/room" data-namespace="@cms" data-title="Moss &amp; &quot;Ink&quot;"',
    )
    expect(page.text).toContain('<title>Moss &amp; &quot;Ink&quot;</title>')
    expect(page.text).not.toMatch(/(?:src|href)="\./)
    for (const path of ['/', '/content/article/new', '/content/article/k3x?locale=fr&side=history', '/a%2fb', '/..%2f'])
      expect({ path, ...(await get(BASE + path)) }).toMatchObject({ status: 200, text: page.text })
    for (const host of ['en.example.org', 'other.example.org'])
      expect(await get(BASE, { host })).toMatchObject({ status: 200, text: page.text })
  })

  test('its page runs nothing but files of the service, is never framed, and never stored', async () => {
    const { headers } = await get(BASE)
    const policy = String(headers['content-security-policy'])
    const images = "img-src 'self' data: blob: https://files.example.org en.example.org *.pictures.example;"
    expect(policy).toContain(`default-src 'none'; script-src 'self'; style-src 'self'; ${images}`)
    expect(policy).toContain("connect-src 'self' https://files.example.org;")
    expect(policy).toContain("frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types quire")
    expect(policy).not.toContain('unsafe')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    })
  })

  test('its files are kept for a year, compressed as the browser accepts', async () => {
    const path = await script()
    const [plain, br, zipped] = await Promise.all(
      ['identity', 'gzip, br', 'gzip'].map((accepted) => get(path, { 'accept-encoding': accepted })),
    )
    expect(plain?.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    expect([plain, br, zipped].map((one) => one?.headers['content-encoding'])).toEqual([undefined, 'br', 'gzip'])
    expect(String(brotliDecompressSync(br?.bytes ?? ''))).toBe(plain?.text)
    expect(String(gunzipSync(zipped?.bytes ?? ''))).toBe(plain?.text)
    const tags = [plain, br, zipped].map((one) => String(one?.headers.etag))
    expect(new Set(tags).size).toBe(3)
    expect(await get(path, { 'if-none-match': tags[0] ?? '' })).toMatchObject({ status: 304, text: '' })
    const head = await get(path, {}, 'HEAD')
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers['content-length']).toBe(String(plain?.bytes.length))
  })

  test('the script in the pages of drafts keeps its name, and may be loaded by front ends', async () => {
    const [plain, zipped] = await Promise.all(
      ['identity', 'gzip'].map((accepted) => get(`${BASE}/inside.js`, { 'accept-encoding': accepted })),
    )
    expect(plain).toMatchObject({ status: 200, text: expect.stringContaining('postMessage') })
    expect(plain?.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, no-cache',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(String(gunzipSync(zipped?.bytes ?? ''))).toBe(plain?.text)
  })

  test('what is no file of it is not found', async () => {
    const names = ['none-abc.js', 'index.html', '..%2findex.html', '..%2f.vite%2fmanifest.json', '%2e%2e/index.html']
    const encoded = ['....//index.html', '..%5cindex.html', '%00.js', 'x%00.js', 'a/b.js', `${'a'.repeat(5000)}.js`]
    for (const name of [...names, ...encoded, (await script()).split('/').at(-1)?.concat('.br') ?? ''])
      expect({ name, status: (await get(`${BASE}/assets/${name}`)).status }).toEqual({ name, status: 404 })
  })

  test('other methods are refused, and there is no editor elsewhere', async () => {
    for (const path of [BASE, `${BASE}/content`, await script()]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await get(path, {}, method)
        expect({ path, method, status: answer.status, allow: answer.headers.allow }).toEqual({
          path,
          method,
          status: 405,
          allow: 'OPTIONS, HEAD, GET',
        })
      }
      expect(await get(path, {}, 'HEAD')).toMatchObject({ status: 200, text: '' })
    }
    for (const path of ['/desk/room', '/site/fr/desk/room', '/site/desk', '/site/desk/rooms', '/site/admin'])
      expect({ path, status: (await get(path)).status }).toEqual({ path, status: 404 })
  })
})

describe('§11 the option `editor`', () => {
  const mistakes = (options: object) => {
    try {
      // As a site in JavaScript, which no compiler has checked.
      compileSite({ kind: 'site', options } as SiteDeclaration)
      return []
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      return error.problems.map(({ path, message }) => `${path}: ${message}`)
    }
  }

  test.each<[unknown, string]>([
    ['/admin', 'editor: must be an object, or false'],
    [true, 'editor: must be an object, or false'],
    [{ pth: '/admin' }, 'editor.pth: unknown option; did you mean "path"?'],
    [{ path: 7 }, 'editor.path: must be text'],
    [{ title: '' }, 'editor.title: must not be empty'],
    [{ preview: 'trust' }, 'editor.preview: must be one of "sandboxed", "trusted"; did you mean "trusted"?'],
    [
      { frontends: ['https://www.example.org'] },
      'editor.origin: is needed with frontends: say where people open the editor, such as "https://edit.example.org"; nothing else may frame drafts there',
    ],
    ...[
      'https://www.example.org/',
      'www.example.org',
      'https://Example.org',
      'ftp://a.example',
      '*',
      "'self'",
      'https://a.example/b',
    ].map((origin): [unknown, string] => [
      { origin: 'https://edit.example.org', frontends: [origin] },
      'editor.frontends.0: must be where it is and nothing more, in lower case and without a slash at its end: "https://www.example.org"',
    ]),
    ...['admin', '/', '', '/admin/', '//admin', '/Admin', '/a b', '/:a', '/*', '/..', '/%61', '/-', '/a?b'].map(
      (path): [unknown, string] => [
        { path },
        'editor.path: must be a path of lower-case letters, digits and "-", such as "/admin", without a slash at its end',
      ],
    ),
    ...['api', 'uploads', 'sitemaps'].map((step): [unknown, string] => [
      { path: `/${step}/x` },
      `editor.path: "/${step}/x" is where the service answers, at "/${step}": choose another path, or editor: false`,
    ]),
  ])('%j is a mistake that says what to do', (editor, message) => {
    expect(mistakes({ editor })).toEqual([message])
  })

  test('its path and the prefixes of locales are apart', () => {
    for (const [path, prefix] of [
      ['/admin', '/admin'],
      ['/fr/admin', '/fr'],
    ]) {
      const locales = { en: { label: 'English' }, fr: { label: 'Français', prefix } }
      const message = `"${path}" and the prefix of the locale fr, "${prefix}", meet: choose another path, or editor: false`
      expect(mistakes({ editor: { path }, locales })).toEqual([`editor.path: ${message}`])
      expect(mistakes({ editor: false, locales })).toEqual([])
    }
  })

  test('the site’s own routes are elsewhere', async () => {
    const plugins: SitePlugins = (app) => void app.get('/admin/x', async () => 'own')
    const { editor } = compileSite(defineSite({}))
    await expect(testServer([], { plugins, site: { editor } })).rejects.toThrow(
      'fastify: the route "/admin/x" is where the editor is. Give it another path',
    )
    const { call } = await testServer([], { plugins, site: { editor: null } })
    expect(await (await call('/admin/x')).text()).toBe('own')
  })
})
