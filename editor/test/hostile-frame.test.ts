import type { FrameLocator, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { defineSite, html, page as pageType, raw, widget } from '../../cms/src/index.ts'
import { type Desk, describeEditor } from './editor.ts'

/** What a script in a draft can know and do: it has the token, since that is in its address. */
const SCRIPT = `
const token = location.hash.slice(7)
globalThis.tell = (message, to = parent) => to.postMessage({ quire: 1, token, ...message }, '*')
globalThis.tried = async (work) => { try { return String(await work()) } catch (error) { return error.name } }
globalThis.marks = (docId) => [
  { kind: 'widget', docId, widgetId: 'w0' },
  { kind: 'widget', docId: 'other:en:draft', widgetId: 'w0' },
  { kind: 'field', docId, path: '__proto__.polluted' },
  { kind: 'field', docId, path: '@w0.constructor.prototype.polluted' },
  { kind: 'area', docId, areaId: '__proto__', fieldId: 'constructor' },
  JSON.parse('{"kind":"widget","docId":"x","widgetId":"w0","__proto__":{"polluted":1}}'),
]
`

const site = defineSite({
  types: [
    pageType('leaf', {
      fields: {
        add: { lead: { type: 'string', label: 'Lead' }, body: { type: 'area', label: 'Body', widgets: { quote: {} } } },
      },
      // `as`: an area of the page, as templates get it.
      render: ({ page }, scene) => html`<h1>${page?.title}</h1>${scene.area(page?.body as never)}`,
    }),
  ],
  widgets: [
    widget('quote', {
      label: 'Quotation',
      fields: { add: { words: { type: 'string', label: 'Words' } } },
      render: ({ words }) => html`<blockquote>${words}</blockquote>`,
    }),
  ],
  layout: (content) =>
    html`<!doctype html><html lang="en"><title>A page</title><script>${raw(SCRIPT)}</script><main>${content}</main></html>`,
})

describeEditor('§11.3 a page that attacks the editor', { site }, ({ service, desk, complaints }) => {
  let at: Desk
  let id = ''
  beforeAll(async () => {
    const items = ['one', 'two'].map((words, at) => ({ _id: `w${at}`, type: 'quote', words }))
    const values = { type: 'leaf', title: 'Ink', slug: '/inkwell', _targetId: '_home', _position: 0, body: { items } }
    id = (await service.editor.post('@cms/page', values)).body.aposDocId
    at = await desk('editor')
  })
  const stored = async () => (await service.editor.get(`@cms/page/${id}`, 'aposMode=draft')).body
  const opened = async () => {
    await at.open(`/pages/${id}`)
    const inPage = at.page.frameLocator('iframe[title=Page]')
    await inPage.locator('quire-inside').waitFor({ state: 'attached' })
    return { page: at.page, inPage, lead: at.page.getByRole('textbox', { name: 'Lead' }) }
  }
  /** Runs a script of the page. */
  const run = (inPage: FrameLocator, script: string) =>
    inPage.locator('html').evaluate((_, code) => new Function(`return (async () => {${code}})()`)(), script)
  /** The form is as it was, can be written in, and saves what is written there alone. */
  const expectWhole = async (page: Page, words: string) => {
    await page.getByRole('textbox', { name: 'Lead' }).fill(words)
    await expect.poll(async () => (await stored()).lead).toBe(words)
    const body = { items: [{ words: 'one' }, { words: 'two' }] }
    expect(await stored()).toMatchObject({ title: 'Ink', slug: '/inkwell', body })
    expect((await stored()).body.items).toHaveLength(2)
  }

  test('moves no focus and changes nothing while nobody is at it, whatever its messages name', async () => {
    const { page, inPage, lead } = await opened()
    const docId = (await stored())._id
    await lead.click()
    await run(
      inPage,
      `for (const mark of marks('${docId}')) {
        tell({ kind: 'select', mark })
        for (const wish of ['add', 'up', 'down', 'remove', 'publish']) tell({ kind: 'ask', mark, wish })
      }
      for (const kind of ['leave', 'save', 'patch', 'publish', '__proto__']) tell({ kind, html: '<b>', values: { title: 'Taken' } })`,
    )
    await page.keyboard.type('still here')
    await expect.poll(() => lead.inputValue()).toBe('still here')
    expect(
      await page.evaluate(() => [Reflect.get({}, 'polluted'), document.querySelectorAll('[role=dialog][open]').length]),
    ).toEqual([undefined, 0])
    await expectWhole(page, 'after orders')
  })

  test('is not heard from another window: a frame in it, a popup, or the editor itself', async () => {
    const { page, inPage, lead } = await opened()
    const docId = (await stored())._id
    const message = `{ quire: 1, token: location.hash.slice(7), kind: 'ask', wish: 'remove', mark: { kind: 'widget', docId: '${docId}', widgetId: 'w0' } }`
    await run(
      inPage,
      `const inner = document.createElement('iframe')
      inner.srcdoc = '<script>top.postMessage(' + JSON.stringify(${message}) + ', "*")<' + '/script>'
      document.body.append(inner)
      await new Promise((resolve) => { inner.onload = resolve })`,
    )
    await inPage.locator('h1').click()
    await page.evaluate((docId) => {
      const token = new URL(document.querySelector('iframe')?.src ?? '').hash.slice(7)
      const mark = { kind: 'widget', docId, widgetId: 'w0' }
      postMessage({ quire: 1, token, kind: 'ask', wish: 'remove', mark }, '*')
    }, docId)
    await inPage.locator('h1').click()
    await run(inPage, `tell({ kind: 'ask', wish: 'remove', mark: marks('${docId}')[0], token: 'f'.repeat(32) })`)
    await lead.focus()
    await expectWhole(page, 'after strangers')
  })

  test('may send as much and as often as it likes: the form goes on, and the page is not loaded again and again', async () => {
    const { page, inPage } = await opened()
    let loads = 0
    const count = (request: { url(): string }) => {
      if (request.url().includes('/inkwell?')) loads += 1
    }
    page.on('request', count)
    onTestFinished(() => void page.off('request', count))
    await run(
      inPage,
      `const long = 'x'.repeat(5_000_000)
      tell({ kind: 'select', mark: { kind: 'widget', docId: long, widgetId: long } })
      tell({ kind: 'ready', more: Array.from({ length: 20_000 }, (_, at) => ({ at })) })
      for (let at = 0; at < 5_000; at += 1) tell({ kind: at % 2 ? 'ready' : 'leave' })`,
    )
    await expectWhole(page, 'after a flood')
    for (let round = 0; round < 3; round += 1) {
      await run(page.frameLocator('iframe[title=Page]'), `for (let at = 0; at < 20; at += 1) tell({ kind: 'failed' })`)
      await page.waitForTimeout(1100)
    }
    await expectWhole(page, 'after failures')
    // Once for what it said of itself; once for each save, in parts or whole.
    expect(loads).toBeLessThanOrEqual(4)
  })

  test('leads the editor nowhere, and keeps nothing on the device', async () => {
    const { page, inPage } = await opened()
    const { url } = { url: page.url() }
    const popups: Page[] = []
    const downloads: unknown[] = []
    const navigated: string[] = []
    page.on('popup', (popup) => popups.push(popup))
    page.on('download', (download) => downloads.push(download))
    page.on('framenavigated', (frame) => frame === page.mainFrame() && navigated.push(frame.url()))
    page.on('dialog', (dialog) => void dialog.accept().then(() => navigated.push('dialog')))
    const got = await run(
      inPage,
      `const form = (target, action, method = 'post') => {
        const one = Object.assign(document.createElement('form'), { target, action, method, enctype: 'text/plain' })
        document.body.append(one)
        one.submit()
      }
      const link = (attributes) => {
        const one = Object.assign(document.createElement('a'), attributes)
        document.body.append(one)
        one.click()
      }
      alert('taken')
      form('_top', '/api/v1/@cms/login/logout')
      form('_parent', 'https://evil.example/')
      link({ href: 'https://evil.example/', target: '_top' })
      link({ href: '/admin/', download: 'taken.html' })
      const answers = {
        top: await tried(() => { top.location = 'https://evil.example/' }),
        replaced: await tried(() => top.location.replace('https://evil.example/')),
        opened: await tried(() => open('https://evil.example/', '_top')),
        closed: await tried(() => top.close()),
        document: await tried(() => top.document),
        frames: await tried(() => parent.frames[0].parent.localStorage),
        cookie: await tried(() => { document.cookie = 'a=b' }),
        database: await tried(() => indexedDB.open('quire')),
        worker: await tried(() => navigator.serviceWorker.register('/admin/inside.js')),
        locks: await tried(() => navigator.locks.request('quire', () => 1)),
        caches: await tried(() => caches.keys()),
        channel: await tried(() => new BroadcastChannel('quire').postMessage('x')),
        written: await tried(() => navigator.clipboard.writeText('taken')),
        called: await tried(() => fetch('/api/v1/@cms/login/whoami', { credentials: 'include' })),
      }
      for (let at = 0; at < 5; at += 1) history.back()
      return answers`,
    )
    expect(got).toMatchObject({
      document: 'SecurityError',
      frames: 'SecurityError',
      cookie: 'SecurityError',
      database: 'SecurityError',
      locks: 'SecurityError',
      caches: 'SecurityError',
      called: 'TypeError',
    })
    await page.waitForTimeout(500)
    await run(page.frameLocator('iframe[title=Page]'), `location.href = 'https://evil.example/'`).catch(() => null)
    await page.waitForTimeout(500)
    expect({ url: page.url(), navigated, popups: popups.length, downloads }).toEqual({
      url,
      navigated: [],
      popups: 0,
      downloads: [],
    })
    expect(
      page
        .frames()
        .map((frame) => frame.url())
        .filter((one) => one.includes('evil')),
    ).toEqual([])
    await expectWhole(page, 'after all')
    // The browser tells of each thing that it refused.
    complaints.splice(0)
  })

  test('opens windows by a click alone, and these are strangers, too', async () => {
    const { page, inPage } = await opened()
    await run(inPage, "addEventListener('mousedown', () => { globalThis.popup = open('/admin/', 'popup') })")
    const waiting = page.waitForEvent('popup')
    await inPage.locator('h1').click()
    const popup = await waiting
    await popup.waitForLoadState()
    const got = await popup.evaluate(async () => {
      const tried = async (work: () => unknown) => {
        try {
          return String(await work())
        } catch (error) {
          return error instanceof Error || error instanceof DOMException ? error.name : 'unknown'
        }
      }
      return {
        origin: globalThis.origin,
        storage: await tried(() => localStorage.length),
        called: await tried(() => fetch('/api/v1/@cms/login/whoami', { credentials: 'include' })),
      }
    })
    expect(got).toMatchObject({ origin: 'null', storage: 'SecurityError' })
    await popup.close()
    await expectWhole(page, 'after a popup')
    complaints.splice(0)
  })
})
