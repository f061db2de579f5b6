import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../cms/test/browser.ts'
import { testDatabases } from '../cms/test/databases.ts'
import { callerOf, type Service, startService } from '../cms/test/service.ts'
import { URLS } from '../cms/test/xss-values.ts'
import { VECTORS } from '../cms/test/xss-vectors.ts'
import { type Watched, watch } from '../cms/test/xss-watch.ts'
import { type AstroSite, startAstro } from './astro-project.ts'
import { area, Editor, richText } from './editor.ts'
import { frontEndSite } from './front-end-site.ts'

// Content that people write, rendered by the unmodified Astro integration from the answers that it gets, in a browser
// that nothing protects.

const FRONT_KEY = 'front-key'
const NAMESPACE = '@apostrophecms'

/** Tests that nothing runs. The Astro project must be installed. */
export function testHostileTexts(): void {
  let service: Service
  let astro: AstroSite
  let browser: Browser
  let watched: Watched

  beforeAll(async () => {
    const [database] = testDatabases
    if (database === undefined) throw new Error('There is a database to test on.')
    service = await startService(database, { site: frontEndSite(), frontKey: FRONT_KEY })
    await writeHostile(service.address)
    astro = await startAstro({ name: 'xss', service: service.address, frontKey: FRONT_KEY })
    browser = await openBrowser()
    watched = await watch(browser, astro.address)
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await astro?.stop()
    await service?.stop()
  })

  test('§4.2b every text is there, and what could run would be noticed', async () => {
    expect(await watched.show('<a href=javascript:pwn()>x</a>')).toEqual(['an address javascript:pwn()'])
    await watched.page.goto(`${astro.address}/hostile`)
    const shown = await watched.page.locator('blockquote').allTextContents()
    expect(shown.length).toBeGreaterThan(VECTORS.length * 0.9)
    expect(shown).toContain(VECTORS[0])
    expect(await watched.page.title()).toBe(`Hostile ${VECTORS[12]}`)
    expect(await watched.findings()).toEqual([])
  })

  test.each(['/hostile', '/', '/blog', '/blog/post-3', '/blog?author=<script>pwn()</script>', '/<svg onload=pwn()>'])(
    '§4.2b %s',
    async (path) => {
      await watched.page.goto(astro.address + path)
      expect(await watched.findings()).toEqual([])
      expect(await watched.page.locator('nav a').count()).toBeGreaterThan(1)
    },
  )
}

/** Every text of a site is a vector. */
async function writeHostile(address: string): Promise<void> {
  const editor = new Editor(address)
  const image = await editor.image('Moss', VECTORS[3])
  const file = await editor.file(VECTORS[5] ?? '', 'Plan.pdf')
  const widgets = VECTORS.flatMap((words, index) => [
    richText(words),
    richText(`<p title="${words}"><a href="${words}" target="${words}">${words}</a></p>`),
    { type: 'quote', words },
    {
      type: `${NAMESPACE}/image`,
      _image: [image],
      caption: words,
      linkTo: '_url',
      linkHref: URLS[index % URLS.length],
    },
  ])
  const texts = { title: `Hostile ${VECTORS[12]}`, seoDescription: VECTORS[9] }
  await makeHostile(address, texts, [...widgets, { type: `${NAMESPACE}/file`, _file: [file] }])
  await editor.makePage(`${NAMESPACE}/blog-page`, 'Blog')
  for (const [index, title] of VECTORS.slice(0, 10).entries()) {
    const author = await editor.make('author', { title })
    await editor.make(`${NAMESPACE}/blog`, {
      title,
      slug: `post-${index}`,
      _author: [author],
      main: area({ type: 'quote', words: title, _speaker: [author] }),
    })
  }
  await editor.changeGlobal({ footer: VECTORS[10] })
}

/** Makes a page of the widgets, but those that are refused. */
async function makeHostile(address: string, texts: object, widgets: readonly object[]): Promise<void> {
  const caller = callerOf(address, 'key-editor', null)
  const place = { type: 'default-page', slug: '/hostile', _targetId: '_home', _position: 'lastChild' }
  const post = (items: readonly object[]) =>
    caller.post(`${NAMESPACE}/page`, { ...texts, ...place, main: area(...items) })
  const { body } = await post(widgets)
  const refused = new Set(body.data.errors.map(({ path }: { path: string }) => Number(path.split('.')[1])))
  const { status } = await post(widgets.filter((_, index) => !refused.has(index)))
  expect({ status, isMost: refused.size < widgets.length / 2 }).toEqual({ status: 200, isMost: true })
}
