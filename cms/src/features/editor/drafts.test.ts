import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../../../test/browser.ts'
import { sampledDatabases } from '../../../test/databases.ts'
import { cookieOf, makeUser } from '../../../test/people.ts'
import { describeService, type Service } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { html, raw } from '../../base/html.ts'
import { checkContent } from '../../cli/check-command.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page } from '../../model/declared/content-type.ts'
import type { DeclaredEditor } from '../../model/declared/editor-options.ts'

/** A script as somebody could write it into a draft: it tries what only its reader may do, and tells whoever frames it. */
const SCRIPT = `
const tried = async (work) => { try { return String(await work()) } catch (error) { return error.name } }
const all = async () => ({
  origin: window.origin,
  cookie: await tried(() => document.cookie),
  storage: await tried(() => localStorage.length),
  parent: await tried(() => parent.document.title),
  caller: await tried(async () => (await fetch('/api/v1/@cms/login/whoami', { credentials: 'include' })).status),
})
all().then((told) => { document.title = JSON.stringify(told); parent.postMessage(told, '*') })
`
/** Frames an address in the page of the editor, and answers what comes out of the frame. */
const framing = (url: string) => `new Promise((resolve) => {
  addEventListener('message', ({ data }) => resolve(data))
  const frame = document.createElement('iframe')
  frame.src = ${JSON.stringify(url)}
  document.body.append(frame)
})`

const siteWith = (editor: DeclaredEditor | false, contentSecurityPolicy = {}) =>
  defineSite({
    editor,
    contentSecurityPolicy,
    types: [page('leaf', { render: (data) => html`<h1>${data.page?.title ?? ''}</h1>` })],
    layout: (content) => html`<!doctype html><title>A page</title>${content}<script>${raw(SCRIPT)}</script>`,
  })

const on = sampledDatabases('drafts')
const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups'
const made = async (service: Service) => {
  const body = { type: 'leaf', title: 'Ink', _targetId: '_home', _position: 0 }
  await service.editor.post('@cms/page', body, 'aposMode=draft')
  return '/ink?aposMode=draft'
}

describeService('§4.2b drafts in a frame of the editor', { site: siteWith({}), on, frontKey: FRONT_KEY }, (service) => {
  let browser: Browser
  let draft = ''
  beforeAll(async () => {
    browser = await openBrowser()
    draft = await made(service)
    await makeUser(service.app, 'Ann')
  })
  afterAll(() => browser?.close())

  const signedIn = async () => {
    const context = await browser.newContext()
    const cookies = (await cookieOf(service.address, 'Ann')).split('; ').map((cookie) => cookie.split('='))
    await context.addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url: service.address })))
    return context
  }
  const NOTHING = { origin: 'null', cookie: 'SecurityError', storage: 'SecurityError', caller: 'TypeError' }

  test('are loaded with the session, while their scripts have no origin, and get nothing of it', async () => {
    const context = await signedIn()
    const editor = await context.newPage()
    await editor.goto(`${service.address}/admin/pages`)
    const told = await editor.evaluate(framing(draft))
    expect(told).toEqual({ ...NOTHING, parent: 'SecurityError' })
    expect(await editor.frames().at(-1)?.textContent('h1')).toBe('Ink')
    await context.close()
  })

  test('are shown in a window of their own under the same rule', async () => {
    const context = await signedIn()
    const window = await context.newPage()
    expect((await window.goto(service.address + draft))?.status()).toBe(200)
    expect(await window.textContent('h1')).toBe('Ink')
    await window.waitForFunction(`document.title.startsWith('{')`)
    expect(JSON.parse(await window.title())).toMatchObject(NOTHING)
    await context.close()
  })

  test('say so in their headers, for an external front end and by preview links, too; published pages do not', async () => {
    for (const front of [true, false]) {
      const { headers, status } = await visit(service, draft, { role: 'contributor', front })
      expect({ status, policy: headers.get('content-security-policy') }).toEqual({
        status: 200,
        policy: `object-src 'none'; base-uri 'self'; frame-ancestors 'self'; ${SANDBOX}`,
      })
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
      expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
    }
    const { results } = (await service.editor.get('@cms/page', 'flat=1&all=1&aposMode=draft')).body
    const id = results.find(({ slug }: { slug: string }) => slug === '/ink').aposDocId
    const { url } = (await service.editor.post(`@cms/page/${id}/preview`)).body
    expect((await visit(service, url)).headers.get('content-security-policy')).toContain(SANDBOX)
    for (const path of ['/', '/none', draft]) {
      const { headers } = await visit(service, path)
      expect(headers.get('content-security-policy')).not.toContain('sandbox')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    }
    expect((await visit(service, '/', { role: 'editor' })).headers.get('content-security-policy')).not.toContain(
      'sandbox',
    )
  })
})

describeService(
  '§4.2b drafts of a site that trusts their scripts',
  { site: siteWith({ preview: 'trusted' }, { 'frame-ancestors': "'none'", 'script-src': "'self'" }), on },
  (service) => {
    test('have their origin, and only the editor frames them', async () => {
      const { headers } = await visit(service, await made(service), { role: 'contributor' })
      expect(headers.get('content-security-policy')).toBe(
        "object-src 'none'; base-uri 'self'; frame-ancestors 'self'; script-src 'self'",
      )
      expect((await visit(service, '/')).headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    })
  },
)

describeService('§11 a site without an editor', { site: siteWith(false), on }, (service) => {
  test('reserves no slug, and has drafts like its other pages', async () => {
    const draft = await made(service)
    const policies = await Promise.all(
      [draft, '/'].map(async (path) =>
        (await visit(service, path, { role: 'editor' })).headers.get('content-security-policy'),
      ),
    )
    expect(policies[0]).toBe(policies[1])
    expect((await visit(service, '/admin')).status).toBe(404)
    const body = { type: 'leaf', title: 'Admin', _targetId: '_home', _position: 0 }
    expect((await service.editor.post('@cms/page', body)).body.slug).toBe('/admin')
    expect((await visit(service, '/admin', { role: 'editor' })).text).toContain('<h1>Admin</h1>')
    const { unreached } = await checkContent(siteWith({}), { QUIRE_DATABASE: service.databaseUrl })
    expect(unreached).toEqual([{ locale: 'en', slug: '/admin' }])
  })
})
