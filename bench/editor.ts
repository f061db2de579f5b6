import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { createApp, defineSite, html, page as pageType, piece, widget } from 'quire-cms'
import { openBrowser } from '../cms/test/browser.ts'
import { makeUser, PASSWORD } from '../cms/test/people.ts'
import { built } from '../editor/test/built.ts'
import { COMPARED, histories, proposal, VERSIONS } from './editor-history.ts'
import { markdownTable } from './table.ts'

// `npx node --conditions=quire-source bench/editor.ts`: what the editor costs in a browser, with the processor as it is
// and slowed four times. Prints a table; times are milliseconds.

const FIELDS = 400
const ARTICLES = 2000
const CHILDREN = 3000
const KEYS = 60
/** The first keys run code that the browser has not compiled yet. */
const FIRST_KEYS = 5
const BLOCKS = 20
const MANY_BLOCKS = 200
const WORDS = 20
const OPENED = 30
const BATCH = 500

/** In the page: milliseconds from each key to what is drawn next. */
const TIMES_KEYS = `
  globalThis.keyTimes = []
  document.addEventListener('keydown', () => {
    const at = performance.now()
    requestAnimationFrame(() => setTimeout(() => keyTimes.push(performance.now() - at)))
  }, { capture: true })
`

const names = Array.from({ length: FIELDS }, (_, index) => `field${index}`)
const site = defineSite({
  name: 'Bench',
  types: [
    piece('wide', {
      fields: { add: Object.fromEntries(names.map((name) => [name, { type: 'string', label: name } as const])) },
    }),
    piece('article', { pluralLabel: 'Articles', fields: { add: { lead: { type: 'string', label: 'Lead' } } } }),
    pageType('plain', {}),
    pageType('leaf', {
      fields: { add: { body: { type: 'area', label: 'Body', widgets: { quote: {} } } } },
      // `as`: an area of the page, as templates get it.
      render: ({ page }, scene) => scene.area(page?.body as never),
    }),
  ],
  widgets: [
    widget('quote', {
      label: 'Quotation',
      fields: { add: { words: { type: 'string', label: 'Words' } } },
      render: ({ words }) => html`<blockquote>${words}</blockquote>`,
    }),
  ],
  layout: (content) => html`<!doctype html><html lang="en"><title>Bench</title>${content}</html>`,
})

const folder = await mkdtemp(join(tmpdir(), 'quire-bench-editor-'))
const app = await createApp(site, {
  database: `sqlite:${join(folder, 'quire.db')}`,
  uploads: join(folder, 'uploads'),
  keys: [{ key: 'bench', role: 'admin', name: 'Bench' }],
})
const address = await app.listen(0, '127.0.0.1')
const browser = await openBrowser()
try {
  await built()
  const wide = await fill()
  const plain = await measure(wide, 1)
  const slowed = await measure(wide, 4)
  const rows = plain.map(([name, value], index) => [name, text(value), text(slowed[index]?.[1] ?? Number.NaN)])
  console.log(markdownTable(['', 'as it is', 'slowed four times'], rows))
} finally {
  await browser.close()
  await app.close()
  await rm(folder, { recursive: true, force: true })
}

function text(value: number): string {
  return value < 100 ? value.toFixed(1) : String(Math.round(value))
}

async function send(
  path: string,
  body: unknown,
  method = 'POST',
): Promise<{ readonly _id: string; readonly aposDocId: string }> {
  const answer = await fetch(`${address}/api/v1/${path}`, {
    method,
    headers: { authorization: 'ApiKey bench', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as { readonly _id: string; readonly aposDocId: string }
}

/** Makes the content; returns the id of the wide document. */
async function fill(): Promise<string> {
  await makeUser(app, 'ann', { role: 'admin' })
  for (let made = 0; made < ARTICLES; made += BATCH)
    await Promise.all(
      Array.from({ length: BATCH }, (_, index) =>
        send('article', { title: `Article ${made + index}`, lead: 'A lead' }),
      ),
    )
  for (let made = 0; made < CHILDREN; made += 1)
    await send('@cms/page', { title: `Page ${made}`, type: 'plain', _targetId: '_home', _position: 'lastChild' })
  return (await send('wide', { title: 'Wide', ...Object.fromEntries(names.map((name) => [name, 'Some words'])) }))
    .aposDocId
}

type Measured = readonly (readonly [name: string, value: number])[]

async function measure(wide: string, slower: number): Promise<Measured> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: address })
  const page = await context.newPage()
  await page.goto('/admin')
  await page.getByLabel('User name or e-mail').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  const debug = await context.newCDPSession(page)
  await debug.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const { requests, ready } = await firstList(page)
  const keys = await keysInWideForm(page, wide)
  const beside = await pageBeside(page)
  const history = await histories(page, app, send)
  const proposed = await proposal(page, send)
  const long = await manyBlocks(page)
  const tree = await branch(page)
  const memory = slower === 1 ? await memoryAfterOpening(page, debug) : Number.NaN
  await context.close()
  return [
    ['requests until the first row', requests],
    ['address entered → first row', ready],
    [`form of ${FIELDS} fields opens`, keys.opens],
    [`one of the first ${FIRST_KEYS} keys in it → next frame, longest`, keys.first],
    [`a key after these → next frame, median`, keys.median],
    [`a key after these → next frame, 95th percentile`, keys.high],
    [`address entered → parts of a page of ${BLOCKS} blocks can be clicked`, beside.ready],
    ['of that since the frame is there', beside.listens],
    ['a word in it → in the page, median', beside.median],
    ['a word in it → in the page, 95th percentile', beside.high],
    [`a document of ${COMPARED} blocks is compared`, history.compared],
    [`of ${VERSIONS} versions the first ten`, history.listed],
    [`address entered → a proposal of ${COMPARED} rows`, proposed],
    [`address entered → first of ${MANY_BLOCKS} blocks`, long.first],
    ['address entered → last of them', long.last],
    [`branch of ${CHILDREN} pages opens`, tree.opens],
    ['its rows in the document', tree.rows],
    [`megabytes more after ${OPENED} documents`, memory],
  ]
}

async function firstList(page: Page) {
  let requests = 0
  const count = () => {
    requests += 1
  }
  page.on('request', count)
  const began = performance.now()
  await page.goto('/admin/content/article')
  await page.getByRole('table', { name: 'Articles' }).getByRole('link').first().waitFor()
  const ready = performance.now() - began
  page.off('request', count)
  return { requests, ready }
}

async function keysInWideForm(page: Page, wide: string) {
  const began = performance.now()
  await page.goto(`/admin/content/wide/${wide}`)
  const box = page.getByRole('textbox', { name: 'field200', exact: true })
  await box.waitFor()
  const opens = performance.now() - began
  await box.focus()
  await page.evaluate(TIMES_KEYS)
  for (let key = 0; key < FIRST_KEYS + KEYS; key += 1) {
    await page.keyboard.press('x')
    await page.waitForTimeout(60)
  }
  const times = await page.evaluate<number[]>('keyTimes')
  return { opens, first: Math.max(...times.slice(0, FIRST_KEYS)), ...spread(times.slice(FIRST_KEYS)) }
}

function spread(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { median: at(0.5), high: at(0.95) }
}

/** The page beside the form: until it can be clicked, and from the last key of a word until it shows it. */
async function pageBeside(page: Page) {
  const aposDocId = await pageOfBlocks(BLOCKS)
  const began = performance.now()
  await page.goto(`/admin/pages/${aposDocId}`)
  await page.locator('iframe[title=Page]').waitFor({ state: 'attached' })
  const framed = performance.now() - began
  const inPage = page.frameLocator('iframe[title=Page]')
  await inPage.locator('quire-inside').waitFor({ state: 'attached' })
  const ready = performance.now() - began
  await inPage.getByText('Block 7', { exact: true }).click()
  await page.locator('fieldset input:focus').waitFor()
  await page.keyboard.press('End')
  const times: number[] = []
  for (let word = 0; word < WORDS; word += 1) {
    await page.keyboard.type(` word${word}`)
    const typed = performance.now()
    await inPage.getByText(new RegExp(`word${word}$`)).waitFor()
    times.push(performance.now() - typed)
  }
  return { ready, listens: ready - framed, ...spread(times) }
}

/** Makes a page; returns its id. */
async function pageOfBlocks(count: number): Promise<string> {
  const items = Array.from({ length: count }, (_, at) => ({ _id: `b${at}`, type: 'quote', words: `Block ${at}` }))
  const values = { title: 'Blocks', type: 'leaf', _targetId: '_home', _position: 'firstChild', body: { items } }
  return (await send('@cms/page', values)).aposDocId
}

async function manyBlocks(page: Page) {
  const docId = await pageOfBlocks(MANY_BLOCKS)
  const blockAt = (index: number) => page.locator(`[data-path="body.b${index}"]`).waitFor()
  const began = performance.now()
  await page.goto(`/admin/pages/${docId}`)
  await blockAt(0)
  const first = performance.now() - began
  await blockAt(MANY_BLOCKS - 1)
  return { first, last: performance.now() - began }
}

async function branch(page: Page) {
  const began = performance.now()
  await page.goto('/admin/pages')
  const tree = page.getByRole('treegrid', { name: 'Pages' })
  await tree.getByRole('row', { name: /Page 5\b/ }).waitFor()
  return { opens: performance.now() - began, rows: await tree.getByRole('row').count() }
}

async function memoryAfterOpening(page: Page, debug: CDPSession): Promise<number> {
  const used = async () => {
    await debug.send('HeapProfiler.collectGarbage')
    return (await debug.send('Runtime.getHeapUsage')).usedSize / 1024 / 1024
  }
  await page.goto('/admin/content/article')
  const links = page.getByRole('table', { name: 'Articles' }).getByRole('link')
  await links.first().waitFor()
  const before = await used()
  for (let index = 0; index < OPENED; index += 1) {
    await links.nth(index).click()
    await page.getByRole('textbox', { name: 'Lead' }).waitFor()
    await page.goBack()
    await links.first().waitFor()
  }
  return (await used()) - before
}
