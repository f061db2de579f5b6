import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../cms/test/browser.ts'
import { testDatabases } from '../cms/test/databases.ts'
import { freePort } from '../cms/test/free-port.ts'
import { makeUser, PASSWORD } from '../cms/test/people.ts'
import { type Service, startService } from '../cms/test/service.ts'
import { framed } from '../editor/test/framed.ts'
import { type AstroSite, startAstro } from './astro-project.ts'
import { fillFrontEnd } from './front-end-content.ts'
import { frontEndSite } from './front-end-site.ts'

// Drafts that the unmodified Astro integration draws, in a frame of the editor, which is at another origin.

const FRONT_KEY = 'front-key'
const PATH = '/about?aposMode=draft&aposEdit=1'

/** Tests that drafts can be edited on the page. The Astro project must be installed. */
export function testEditedDrafts(): void {
  let service: Service
  let astro: AstroSite
  let browser: Browser

  beforeAll(async () => {
    const [database] = testDatabases
    if (database === undefined) throw new Error('There is a database to test on.')
    const [port, frontPort] = [await freePort(), await freePort()]
    const editor = { origin: `http://127.0.0.1:${port}`, frontends: [`http://127.0.0.1:${frontPort}`] } as const
    service = await startService(database, { site: frontEndSite({ editor }), frontKey: FRONT_KEY, port })
    await fillFrontEnd(service.address)
    await makeUser(service.app, 'eve')
    astro = await startAstro({ name: 'edited', service: service.address, frontKey: FRONT_KEY, port: frontPort })
    browser = await openBrowser()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await astro?.stop()
    await service?.stop()
  })

  /** The cookies of a session, by name. */
  const session = async (): Promise<[string, string][]> => {
    const answer = await fetch(`${service.address}/api/v1/@apostrophecms/login/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.address },
      body: JSON.stringify({ username: 'eve', password: PASSWORD, session: true }),
    })
    const set = answer.headers.getSetCookie().map((one) => one.split(';')[0]?.split('=') ?? [])
    return set.map(([name = '', value = '']) => [name, value])
  }
  /** The editor of somebody who has signed in. */
  const opened = async (): Promise<Page> => {
    // Wide enough for a column that telephones do not show, beside the form.
    const context = await browser.newContext({ viewport: { width: 2000, height: 900 } })
    await context.addCookies((await session()).map(([name, value]) => ({ name, value, url: service.address })))
    const page = await context.newPage()
    await page.goto(`${service.address}/admin/pages`)
    return page
  }

  test('§11.5 a click at a block says which one it is', async () => {
    const page = await opened()
    const { frame, heard, tell } = await framed(page, astro.address + PATH)
    const ready = { kind: 'ready', canRefresh: true }
    await expect.poll(heard).toEqual([ready])
    const words = { edit: 'Edit', add: 'Add', up: 'Up', down: 'Down', remove: 'Remove' }
    await tell({ kind: 'start', words, labels: {} })
    await frame.locator('quire-inside').waitFor({ state: 'attached' })
    const block = frame.locator('[data-apos-widget]').first()
    const widgetId = await block.getAttribute('data-apos-widget')
    await block.click({ position: { x: 5, y: 5 } })
    const { results } = (await service.editor.get('@apostrophecms/page', 'all=1&flat=1&aposMode=draft')).body
    const docId = results.find(({ slug }: { slug: string }) => slug === '/about')._id
    await expect.poll(heard).toEqual([ready, { kind: 'select', mark: { kind: 'widget', docId, widgetId } }])
    await page.context().close()
  })

  /** The form of a page with the page beside it, and what is in the frame. */
  const beside = async (slug: string) => {
    const page = await opened()
    const { results } = (await service.editor.get('@apostrophecms/page', 'all=1&flat=1&aposMode=draft')).body
    const { aposDocId } = results.find((one: { slug: string }) => one.slug === slug)
    await page.goto(`${service.address}/admin/pages/${aposDocId}`)
    const inPage = page.frameLocator('iframe[title=Page]')
    await inPage.locator('quire-inside').waitFor({ state: 'attached' })
    return { page, inPage }
  }

  test('§11.5 the panel: a click leads to the form, the focus there scrolls the page', async () => {
    const { page, inPage } = await beside('/')
    await inPage.getByText('So it goes').click()
    await expect
      .poll(() => page.evaluate<string>(`document.activeElement?.closest('fieldset[aria-label]')?.ariaLabel`))
      .toMatch(/^Quote/)
    await inPage.locator('html').evaluate((root) => {
      root.style.minHeight = '400vh'
      Reflect.get(globalThis, 'scrollTo')(0, 2000)
    })
    await page.getByRole('textbox', { name: 'Words' }).focus()
    await page.getByRole('textbox', { name: 'Title', exact: true }).focus()
    await page.getByRole('textbox', { name: 'Words' }).focus()
    await expect
      .poll(() => inPage.locator('html').evaluate(() => Reflect.get(globalThis, 'scrollY')))
      .toBeLessThan(1500)
    await page.context().close()
  })

  test('§11.5 the panel: what is saved is put into the page; scroll position and scripts stay', async () => {
    const { page, inPage } = await beside('/')
    const html = inPage.locator('html')
    await html.evaluate(() => Object.assign(globalThis, { isSame: true }))
    await page.getByRole('textbox', { name: 'Words' }).fill('So it went')
    await inPage.getByText('So it went').waitFor()
    await page.getByRole('textbox', { name: 'Title', exact: true }).focus()
    await html.evaluate((root) => {
      root.style.minHeight = '400vh'
      Reflect.get(globalThis, 'scrollTo')(0, 120)
    })
    await page.keyboard.type('House')
    await inPage.getByRole('heading', { name: /House/ }).waitFor()
    const kept = await html.evaluate(() => [Reflect.get(globalThis, 'scrollY'), Reflect.get(globalThis, 'isSame')])
    expect(kept).toEqual([120, true])
    await inPage.getByText('So it went').hover()
    await inPage.getByRole('button', { name: 'Remove' }).click()
    await inPage.getByText('So it went').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Undo/ }).first().click()
    await inPage.getByText('So it went').waitFor()
    expect(await html.evaluate(() => Reflect.get(globalThis, 'isSame'))).toBe(true)
    await page.context().close()
  })

  test('§11.3 its origin alone is framed, and it may be framed by the editor alone', async () => {
    const page = await opened()
    const { heard } = await framed(page, astro.address.replace('127.0.0.1', 'localhost') + PATH)
    expect(await heard()).toEqual([])
    const cookie = (await session()).map((pair) => pair.join('=')).join('; ')
    const { headers } = await fetch(astro.address + PATH, { headers: { cookie } })
    expect(headers.get('content-security-policy')).toContain(`frame-ancestors 'self' ${service.address}; sandbox`)
    await page.context().close()
  })

  test('§11.4 visitors get no marks and no script', async () => {
    for (const path of ['/about', '/about?aposEdit=1']) {
      const text = await (await fetch(astro.address + path)).text()
      expect(text).toContain('<h1>')
      expect(text).not.toMatch(/data-apos-(?:widget="|area)|inside\.js/)
    }
  })
}
