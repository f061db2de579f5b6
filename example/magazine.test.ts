import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../cms/test/browser.ts'
import { isWhole, some } from '../cms/test/sample.ts'
import { type Serving, serve } from './command.ts'

// The magazine as its readers have it: in a real browser, at three widths, by day and by night.

const SITE = fileURLToPath(new URL('./site.ts', import.meta.url))
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** A page of every kind, in both languages. */
const PAGES = [
  '/',
  '/articles',
  '/articles?page=3',
  '/articles?section=essay',
  '/articles/the-ferry-that-waits-for-bread',
  '/articles/moss-does-not-hurry',
  '/topics',
  '/topics/night',
  '/authors',
  '/authors/claire-aubert',
  '/about',
  '/about/how-we-work',
  '/search',
  '/search?q=river',
  '/search?q=zeppelin',
  '/there-is-no-such-page',
  '/fr/',
  '/fr/articles',
  '/fr/articles/le-bac-qui-attend-le-pain',
  `/fr/${encodeURIComponent('à-propos')}`,
  `/fr/${encodeURIComponent('thèmes')}`,
]
const WIDTHS = [360, 820, 1440] as const
const SCHEMES = ['light', 'dark'] as const
const views = WIDTHS.flatMap((width) => SCHEMES.map((colorScheme) => ({ width, colorScheme })))
const visits = views.flatMap((view) => PAGES.map((path) => ({ ...view, path })))

let folder: string
let service: Serving
let browser: Browser

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-magazine-'))
  service = await serve(folder, SITE)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A reader with a screen of some size. */
async function reader(view: { width: number; colorScheme?: 'light' | 'dark' }): Promise<Page> {
  const { width, colorScheme = 'light' } = view
  const context = await browser.newContext({
    // For axe alone: the magazine has no script of its own.
    bypassCSP: true,
    viewport: { width, height: width > 1000 ? 900 : 760 },
    colorScheme,
    reducedMotion: 'reduce',
    baseURL: service.address,
  })
  await context.addInitScript(NOTE_SHIFTS)
  return await context.newPage()
}

const NOTE_SHIFTS = `
  window.shifts = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts += entry.value
  }).observe({ type: 'layout-shift', buffered: true })`

/** Goes to the end of the page, so that every picture is loaded. */
const READ_TO_THE_END = `(async () => {
  for (let y = 0; y < document.body.scrollHeight; y += 600) {
    scrollTo(0, y)
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)))
  }
  await Promise.all([...document.images].filter((image) => image.checkVisibility()).map((image) => image.decode()))
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
})()`

const WIDER_THAN_SCREEN = `[...document.querySelectorAll('body *')]
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 90))`

interface Answered {
  readonly _id: string
  readonly results: readonly { readonly _id: string }[]
}

/** Lists the elements and properties that look different without the stylesheet of the editors' values. */
const CHANGED_WITHOUT_STYLES = `(() => {
  const all = [...document.querySelectorAll('html, body, main *, header *, footer *')]
  const looks = () => all.map((one) => {
    const style = getComputedStyle(one)
    return [...style].filter((name) => !name.startsWith('--')).map((name) => name + ': ' + style[name])
  })
  const before = looks()
  document.querySelector('body > link').remove()
  return looks().flatMap((look, at) => look.filter((line, index) => line !== before[at][index])
    .map((line) => all[at].tagName + '.' + all[at].className + ' ' + line)).slice(0, 9)
})()`

/** Returns the findings of axe, by rule, with the elements. */
async function axe(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE })
  return (await page.evaluate(`axe.run().then(({ violations, incomplete }) => violations
    .concat(incomplete.filter(({ id }) => id !== 'color-contrast'))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 120) + ' ' + failureSummary.slice(0, 200))))`)) as string[]
}

/**
 * Watches the requests of a page: bytes other than pictures, and requests for scripts, to other sites, or that fail.
 */
function watchRequests(page: Page) {
  const sizes: Promise<number>[] = []
  const strange: string[] = []
  page.on('response', (response) => {
    const type = response.request().resourceType()
    if (!response.url().startsWith(service.address) || type === 'script') strange.push(response.url())
    if (type !== 'image') sizes.push(response.body().then((body) => body.length))
  })
  page.on('pageerror', ({ message }) => strange.push(message))
  return { strange, bytes: async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) }
}

describe('§4.2b the magazine', () => {
  test.each(isWhole ? visits : some(visits, 3))(
    '$path at $width, $colorScheme: accessible, steady and small',
    async ({ path, ...view }) => {
      const page = await reader(view)
      const seen = watchRequests(page)
      await page.goto(path)
      await page.evaluate(READ_TO_THE_END)
      expect(await page.evaluate(WIDER_THAN_SCREEN)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(await page.evaluate('window.shifts')).toBe(0)
      expect(await page.locator('h1').count()).toBe(1)
      expect(await page.locator('script:not([type="application/ld+json"]), [onclick], [onload]').count()).toBe(0)
      expect(seen.strange).toEqual([])
      expect(await seen.bytes()).toBeGreaterThan(15_000)
      expect(await seen.bytes()).toBeLessThan(100_000)
      expect(await axe(page)).toEqual([])
      await page.context().close()
    },
  )

  test('is read with the keyboard alone: past the menu, and every stop is seen', async () => {
    const page = await reader({ width: 1440 })
    await page.goto('/articles')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.className')).toBe('skip')
    expect(await page.evaluate('document.activeElement.getBoundingClientRect().left')).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(`document.activeElement.closest('main') !== null`)).toBe(true)
    const stops = new Set<string>()
    for (let count = 0; count < 80; count += 1) {
      const stop = (await page.evaluate(`(() => {
        const { textContent, href } = document.activeElement
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
        return { name: textContent + href, isSeen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 }
      })()`)) as { name: string; isSeen: boolean }
      if (stops.has(stop.name) && count > 60) break
      expect(stop.isSeen, stop.name).toBe(true)
      stops.add(stop.name)
      await page.keyboard.press('Tab')
      if (await page.evaluate('document.activeElement === document.body')) break
    }
    expect([...stops].some((name) => name.includes('The chair that took nine years'))).toBe(true)
    await page.context().close()
  })

  test('leads from the front page to an article, its author, its topic and the next article', async () => {
    const page = await reader({ width: 820 })
    await page.goto('/')
    await page.click('.lead h2 a')
    expect(await page.textContent('h1')).toBe('The ferry that waits for bread')
    await page.click('.author h2 a')
    expect(await page.textContent('h1')).toBe('Ines Moreau')
    expect(await page.locator('.story').count()).toBeGreaterThan(3)
    await page.click('.story:has-text("Reading a river") h3 a')
    await page.click('.tags a:has-text("Language")')
    expect(await page.textContent('h1')).toBe('Language')
    await page.goBack()
    const before = await page.textContent('h1')
    await page.click('.neighbours [rel="next"]')
    expect(await page.textContent('h1')).not.toBe(before)
    await page.context().close()
  })

  test('narrows its articles by section, and turns pages', async () => {
    const page = await reader({ width: 820 })
    await page.goto('/articles')
    await page.click('.filters a:has-text("Recipe")')
    expect(await page.getAttribute('.filters a:has-text("Recipe")', 'aria-current')).toBe('true')
    expect(await page.locator('.story').count()).toBe(2)
    const [topic] = await page.locator('.filters nav:last-of-type a').allTextContents()
    await page.click(`.filters nav:last-of-type a:has-text("${topic}")`)
    expect(await page.locator('.filters [aria-current]').allTextContents()).toEqual(['Recipe', topic])
    await page.click('.filters a:has-text("Recipe")')
    expect(await page.locator('.filters [aria-current]').allTextContents()).toEqual([topic])
    await page.click('.filters a:has-text("All articles")')
    expect(await page.locator('.filters [aria-current]').count()).toBe(0)
    await page.click('.pager a:has-text("2")')
    expect(await page.getAttribute('.pager a:has-text("2")', 'aria-current')).toBe('page')
    expect(await page.locator('.story').count()).toBe(9)
    await page.context().close()
  })

  test('is the same page in the other language, where there is one', async () => {
    const page = await reader({ width: 820 })
    await page.goto('/articles/the-ferry-that-waits-for-bread')
    await page.click('a[lang="fr"]')
    expect(await page.textContent('h1')).toBe('Le bac qui attend le pain')
    expect(await page.getAttribute('html', 'lang')).toBe('fr')
    await page.click('a[lang="en"]')
    expect(await page.textContent('h1')).toBe('The ferry that waits for bread')
    await page.goto('/articles/moss-does-not-hurry')
    await page.click('a[lang="fr"]')
    expect(new URL(page.url()).pathname).toBe('/fr/')
    await page.context().close()
  })

  test('is searched without a script, and has a way on where there is no page', async () => {
    const page = await reader({ width: 360 })
    const response = await page.goto('/no-such-page')
    expect(response?.status()).toBe(404)
    expect(await page.textContent('h1')).toBe('There is no light here')
    expect(await page.locator('.latest li').count()).toBe(5)
    await page.fill('[type="search"]', 'eels')
    await page.keyboard.press('Enter')
    expect(await page.textContent('[role="status"]')).toBe('One article about “eels”')
    await page.click('.story h2 a')
    expect(await page.textContent('h1')).toBe('Eels, counted by hand')
    await page.context().close()
  })

  test('looks right on paper: the text, without menus', async () => {
    const page = await reader({ width: 820 })
    await page.goto('/articles/the-ferry-that-waits-for-bread')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.masthead-bar nav').isVisible()).toBe(false)
    expect(await page.locator('.foot').isVisible()).toBe(false)
    expect(await page.locator('.prose').isVisible()).toBe(true)
    await page.context().close()
  })

  test.each([
    [360, [0, 1, 2]],
    [768, [0, 1, 1]],
    [1280, [0, 0, 0]],
  ])('has a foot that fills its rows: at %d pixels, its parts are in %j', async (width, rows) => {
    const page = await reader({ width })
    await page.goto('/')
    const tops = await page
      .locator('.foot .wide > div')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    const distinct = [...new Set(tops)]
    expect(tops.map((top) => distinct.indexOf(top))).toEqual(rows)
    await page.context().close()
  })

  test('looks the same without its editors’ styles as with their defaults', async () => {
    for (const colorScheme of SCHEMES) {
      const page = await reader({ width: 820, colorScheme })
      for (const path of ['/', '/articles/the-ferry-that-waits-for-bread']) {
        await page.goto(path)
        await page.evaluate(READ_TO_THE_END)
        expect(await page.evaluate(CHANGED_WITHOUT_STYLES)).toEqual([])
      }
      await page.context().close()
    }
  })

  test('§4.7 is given another look by an editor: a draft first, then for all readers', async () => {
    const key = (await readFile(join(folder, 'data/admin-key'), 'utf8')).trim()
    const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' }
    const call = async (method: string, path: string, body?: object) => {
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const response = await fetch(`${service.address}/api/v1/@cms/styles${path}`, init)
      expect(response.status).toBe(200)
      // `as`: what the service answers.
      return (await response.json()) as Answered
    }
    const [draft] = (await call('GET', '?aposMode=draft')).results
    await call('PATCH', `/${draft?._id}`, {
      'day.paper': '#eef4ee',
      'day.lamp': '#b23a48',
      'night.paper': '#10241b',
      headingWeight: '400',
      pageWidth: 64,
      masthead: 'masthead-left',
      pictureCorners: 16,
      pictureShadow: { active: true, x: 0, y: 8, blur: 24 },
      footBackground: { enabled: true, backgroundType: 'gradient', gradientStart: '#10241b', gradientEnd: '#0d1126' },
    })
    const page = await reader({ width: 1440 })
    const look = async (path = '/') => {
      await page.goto(path)
      return await page.evaluate(`(() => {
        const style = (selector) => getComputedStyle(document.querySelector(selector))
        return {
          paper: style('html').backgroundColor, lamp: style('.home > .quote').getPropertyValue('--lamp'),
          heading: style('.lead h2').fontWeight, width: style('.masthead-bar').width,
          masthead: style('.wordmark').justifyContent, corners: style('.lead img').borderRadius,
          shadow: style('.lead img').boxShadow, foot: style('.foot').backgroundImage,
        }
      })()`)
    }
    const before = await look()
    const { _id } = await call('POST', `/${draft?._id}/publish`)
    const after = {
      paper: 'rgb(238, 244, 238)',
      lamp: '#b23a48',
      heading: '400',
      width: '1024px',
      masthead: 'start',
      corners: '16px',
      shadow: 'rgba(22, 26, 46, 0.2) 0px 8px 24px 0px',
      foot: 'linear-gradient(rgb(16, 36, 27), rgb(13, 17, 38))',
    }
    expect(await look()).toEqual(after)
    expect(await page.evaluate('window.shifts')).toBe(0)
    expect(await axe(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await look()).toMatchObject({ paper: 'rgb(16, 36, 27)', shadow: 'rgba(0, 0, 0, 0.5) 0px 8px 24px 0px' })
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await look('/fr/')).toEqual(before)
    await call('POST', `/${_id}/revert-published-to-previous`)
    expect(await look()).toEqual(before)
    await page.context().close()
  })
})
