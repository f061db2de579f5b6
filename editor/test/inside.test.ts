import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { defineSite, html, page as pageType, raw, widget } from '../../cms/src/index.ts'
import { describeEditor } from './editor.ts'
import { type Framed, framed } from './framed.ts'

/** A script as somebody could write it into a draft: it tries what only its reader may do, and answers for the page. */
const SCRIPT = `
const tried = async (work) => { try { return String(await work()) } catch (error) { return error.name } }
globalThis.everything = async () => ({
  origin: window.origin,
  cookie: await tried(() => document.cookie),
  storage: await tried(() => localStorage.length),
  indexed: await tried(() => indexedDB.open('x').onerror),
  parent: await tried(() => parent.document.title),
  caller: await tried(async () => (await fetch('/api/v1/@cms/login/whoami', { credentials: 'include' })).status),
})
const token = location.hash.slice(7)
for (const kind of ['save', 'patch', 'publish'])
  parent.postMessage({ quire: 1, token, kind, html: '<b>', values: { title: 'Taken' } }, '*')
`

const site = defineSite({
  types: [
    pageType('leaf', {
      fields: { add: { body: { type: 'area', widgets: { quote: {} } } } },
      render: ({ page }, scene) =>
        html`<h1${scene.edit(page, 'title')}>${page?.title}</h1><details><summary>More</summary>details</details>
          ${scene.area(page?.body as never)}<p><a href="/">home</a></p><p style="margin-top:200vh">end</p>`,
    }),
  ],
  widgets: [
    widget('quote', {
      fields: { add: { words: { type: 'string' } } },
      render: ({ words }) => html`<blockquote><p>${words}</p></blockquote>`,
    }),
  ],
  layout: (content) => html`<!doctype html><title>A page</title><script>${raw(SCRIPT)}</script>${content}`,
})

const QUERY = 'aposMode=draft&aposEdit=1'
const words = { edit: 'Edit', add: 'Add after', up: 'Move up', down: 'Move down', remove: 'Remove' }

describeEditor('editor: the script in the page', { site }, ({ service, desk, visitor, complaints }) => {
  let id = ''
  const widgetMark = (widgetId: string) => ({ kind: 'widget', docId: id, widgetId }) as const
  beforeAll(async () => {
    const items = ['one', 'two'].map((words, at) => ({ _id: `w${at}`, type: 'quote', words }))
    const body = { type: 'leaf', title: 'Ink', slug: '/inkwell', _targetId: '_home', _position: 0, body: { items } }
    const answer = await service.editor.post('@cms/page', body, 'aposMode=draft')
    expect(answer.status).toBe(200)
    id = answer.body._id
  })

  const opened = async (): Promise<Framed & { page: Page }> => {
    const { page } = await desk('editor')
    const inFrame = await framed(page, `/inkwell?${QUERY}`)
    await expect.poll(inFrame.heard).toContainEqual({ kind: 'ready', canRefresh: true })
    await inFrame.tell({ kind: 'start', words, labels: { w0: 'Quotation' } })
    await inFrame.frame.locator('quire-inside').waitFor({ state: 'attached' })
    return { ...inFrame, page }
  }

  test('§11.5 a click tells which part it was; links lead nowhere', async () => {
    const { frame, heard, page } = await opened()
    await frame.getByText('two').click()
    await expect.poll(async () => (await heard()).at(-1)).toEqual({ kind: 'select', mark: widgetMark('w1') })
    await frame.getByRole('heading').click()
    const title = { kind: 'field', docId: id, path: 'title' }
    await expect.poll(async () => (await heard()).at(-1)).toEqual({ kind: 'select', mark: title })
    const before = await heard()
    await frame.getByRole('link').click()
    expect(frame.url()).toContain('/inkwell')
    expect(await heard()).toEqual(before)
    await frame.getByText('one').hover()
    await frame.getByRole('button', { name: 'Move down' }).click()
    const asked = { kind: 'ask', wish: 'down', mark: widgetMark('w0') }
    await expect.poll(async () => (await heard()).at(-1)).toEqual(asked)
    await page.close()
  })

  test('§11.5 the same with Tab, Enter and arrows', async () => {
    const { frame, heard, page } = await opened()
    const last = () => expect.poll(async () => (await heard()).at(-1))
    await page.evaluate(() => document.querySelector('iframe')?.focus())
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await last().toEqual({ kind: 'select', mark: { kind: 'field', docId: id, path: 'title' } })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await last().toEqual({ kind: 'select', mark: widgetMark('w0') })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await last().toEqual({ kind: 'ask', wish: 'add', mark: widgetMark('w1') })
    await page.keyboard.press('Escape')
    await last().toEqual({ kind: 'leave' })
    await page.keyboard.press('Tab')
    await expect.poll(() => frame.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY')
    await page.close()
  })

  test('§11.5 in a page that runs from right to left the bar does, too, with its arrows', async () => {
    const { frame, heard, page } = await opened()
    await frame.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    await page.evaluate(() => document.querySelector('iframe')?.focus())
    for (const key of ['Tab', 'ArrowDown', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
    const asked = { kind: 'ask', wish: 'add', mark: widgetMark('w0') }
    await expect.poll(async () => (await heard()).at(-1)).toEqual(asked)
    const ends = await frame.evaluate(() => {
      const bar = document.querySelector('quire-inside')?.shadowRoot?.querySelector('.bar')
      const part = document.querySelector('[data-apos-widget=w0]')
      return [bar, part].map((one) => Math.round(one?.getBoundingClientRect().right ?? 0))
    })
    expect(ends[0]).toBe(ends[1])
    await page.close()
  })

  test('§11.5 what the editor draws is put in; what is open stays open, and nothing is scrolled', async () => {
    const { frame, tell, page } = await opened()
    await frame.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
      scrollTo(0, 200)
      Object.assign(globalThis, { old: document.querySelector('[data-apos-widget=w1]') })
    })
    await tell({
      kind: 'widget',
      widgetId: 'w0',
      html: '<blockquote data-apos-widget="w0"><p>unsaved</p></blockquote>',
    })
    await frame.getByText('unsaved').waitFor()
    const { body } = await service.editor.get(`@cms/page/${id}`)
    const [first, second] = body.body.items
    await service.editor.patch(`@cms/page/${id}`, { title: 'Red ink', body: { items: [{ ...second }, first] } })
    const html = await page.evaluate(async (query) => (await fetch(`/inkwell?${query}&aposRefresh=1`)).text(), QUERY)
    await tell({ kind: 'refresh', html })
    await frame.getByRole('heading', { name: 'Red ink' }).waitFor()
    await expect.poll(() => frame.locator('blockquote').allTextContents()).toEqual(['two', 'one'])
    const state = await frame.evaluate(() => ({
      isOpen: document.querySelector('details')?.open,
      y: scrollY,
      isSame: document.querySelector('[data-apos-widget=w1]') === Reflect.get(globalThis, 'old'),
    }))
    expect(state).toEqual({ isOpen: true, y: 200, isSame: true })
    await tell({ kind: 'show', mark: widgetMark('w1') })
    await frame.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await tell({ kind: 'show', mark: widgetMark('w1') })
    await expect.poll(() => frame.evaluate(() => scrollY)).toBeLessThan(500)
    await page.close()
  })

  test('§11.5 only its editor is heard, with the token, and no other window', async () => {
    const { frame, tell, page } = await opened()
    const html = '<h1>Taken</h1>'
    await tell({ kind: 'refresh', html }, 'd'.repeat(32))
    await frame.evaluate((html) => {
      const token = location.hash.slice(7)
      postMessage({ quire: 1, token, kind: 'refresh', html }, '*')
    }, html)
    await tell({ kind: 'widget', widgetId: 'w0', html: '<blockquote data-apos-widget="w0">last</blockquote>' })
    await frame.getByText('last').waitFor()
    expect(await frame.getByText('Taken').count()).toBe(0)
    const { heard } = await framed(page, `/inkwell?${QUERY}`, { token: null })
    expect(await heard()).not.toContainEqual(expect.objectContaining({ kind: 'ready' }))
    await page.close()
  })

  test('§11.3 a hostile script in a marked draft gets nothing, and its orders are none', async () => {
    const { frame, heard, page } = await opened()
    const everything = await frame.evaluate(() => Reflect.get(globalThis, 'everything')())
    expect(everything).toEqual({
      origin: 'null',
      cookie: 'SecurityError',
      storage: 'SecurityError',
      indexed: 'SecurityError',
      parent: 'SecurityError',
      caller: 'TypeError',
    })
    expect(await heard()).toEqual([null, null, null, { kind: 'ready', canRefresh: true }])
    // The browser tells of the request that was refused.
    complaints.splice(0)
    await page.close()
  })

  test('§11.5 without an editor around it the page is as it is', async () => {
    const { page } = await visitor()
    await page.goto('/')
    expect(await page.locator('quire-inside').count()).toBe(0)
    const script = await page.request.get('/admin/inside.js')
    expect(script.headers()).toMatchObject({
      'cache-control': 'public, no-cache',
      'cross-origin-resource-policy': 'cross-origin',
    })
  })
})
