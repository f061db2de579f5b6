import type { Browser, BrowserContext, Page } from 'playwright-core'
import { defineSite, piece } from 'quire-cms'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser } from '../../cms/test/browser.ts'
import { Dice } from '../../cms/test/dice.ts'
import { isWhole, seed } from '../../cms/test/sample.ts'
import { describeService } from '../../cms/test/service.ts'
import { bundle } from './bundle.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts'
import type { SavingPage } from './saving-page.ts'

declare const saving: SavingPage

// Text that was typed is there afterwards: with a real service behind a network that breaks, in a real browser.

const site = defineSite({
  name: 'Notes',
  types: [
    piece('note', {
      label: 'Note',
      fields: {
        add: {
          words: { type: 'string', max: 1000 },
          links: { type: 'array', fields: { add: { label: { type: 'string' } } } },
        },
      },
    }),
  ],
})

const EDITS = isWhole ? 200 : 30

describeService('Nothing is lost', { site, isLong: true, timeout: 240_000 }, (service) => {
  let browser: Browser
  let script: string
  let proxy: CuttingProxy
  let context: BrowserContext
  let page: Page
  const dice = new Dice(seed)

  beforeAll(async () => {
    proxy = await startCuttingProxy(service.address, dice)
    const [opened, made] = await Promise.all([openBrowser(), bundle('saving-page.ts')])
    browser = opened
    script = made
  })
  afterAll(async () => {
    await browser?.close()
    await proxy?.close()
  })
  beforeEach(async () => {
    proxy.chance = 0
    context = await browser.newContext({ baseURL: proxy.address })
    await context.route('**/page.html', (route) => route.fulfill({ body: '<!doctype html>', contentType: 'text/html' }))
    page = await newTab()
  })
  afterEach(() => context.close())

  async function newTab(): Promise<Page> {
    const tab = await context.newPage()
    await tab.goto('/page.html')
    await tab.evaluate(script)
    return tab
  }

  async function makeNote(): Promise<string> {
    const { body } = await service.editor.post('note', { title: 'Ink', words: 'Ink is slow.' }, 'aposMode=draft')
    return body.aposDocId
  }

  const read = async (docId: string) => (await service.editor.get(`note/${docId}`, 'aposMode=draft&aposLocale=en')).body
  const STORED = { state: { kind: 'saved' }, unsaved: 0 }
  const isStored = (tab: Page) =>
    expect.poll(() => tab.evaluate(() => saving.standing()), { timeout: 120_000 }).toMatchObject(STORED)

  test('5.2 edits over a connection that breaks anywhere are all stored, and none twice', async () => {
    const docId = await makeNote()
    await page.evaluate((id) => saving.open(id), docId)
    proxy.chance = 30
    const links: string[] = []
    for (let edit = 0; edit < EDITS; edit += 1) {
      const removed = dice.isBelow(0.2) ? links.pop() : undefined
      if (removed === undefined) links.push(`link${edit}`)
      await page.evaluate(
        ({ edit, removed }) => {
          saving.write('words', `Edit ${edit}`)
          if (removed === undefined) saving.insert(`link${edit}`)
          else saving.removeLink(removed)
        },
        { edit, removed },
      )
      if (dice.isBelow(0.7)) void page.evaluate(() => saving.flush()).catch(() => {})
      if (dice.isBelow(0.1)) {
        // The tab is closed without a word, and another one goes on.
        await page.evaluate(() => saving.isSafe())
        await expect.poll(() => page.evaluate(() => saving.isSafe())).toBe(true)
        await page.close()
        page = await newTab()
        proxy.chance = 0
        await page.evaluate((id) => saving.open(id), docId)
        proxy.chance = 30
      }
    }
    await isStored(page)
    expect(await page.evaluate(() => saving.conflicts())).toBe(0)
    const stored = await read(docId)
    expect(stored.words).toBe(`Edit ${EDITS - 1}`)
    expect(stored.links.map(({ _id }: { _id: string }) => _id)).toEqual(links)
    expect(await page.evaluate(() => saving.content())).toMatchObject({ words: stored.words })
    await expect.poll(() => page.evaluate(() => saving.left('ann'))).toEqual([])
    expect(proxy.cuts).toBeGreaterThan(0)
  })

  test('5.2 a change is in the journal soon, and there after the tab was closed without a connection', async () => {
    const docId = await makeNote()
    await page.evaluate((id) => saving.open(id), docId)
    proxy.chance = 100
    await page.evaluate(() => saving.write('title', 'Written without a network'))
    expect(await page.evaluate(() => saving.isSafe())).toBe(false)
    await expect.poll(() => page.evaluate(() => saving.isSafe())).toBe(true)
    await page.close()

    const other = await newTab()
    expect(await other.evaluate(() => saving.left('ann'))).toMatchObject([{ place: { docId }, isNew: false }])
    expect(await other.evaluate(() => saving.left('ben'))).toEqual([])
    proxy.chance = 0
    expect(await other.evaluate((id) => saving.open(id), docId)).toBe(1)
    await isStored(other)
    expect((await read(docId)).title).toBe('Written without a network')
  })

  test('5.1 a new document is made once, whatever becomes of the answers', async () => {
    const { total: before } = (await service.editor.get('note', 'aposMode=draft&perPage=1')).body
    await page.evaluate(() => saving.open('local', { isNew: true }))
    proxy.chance = 100
    await page.evaluate(() => {
      saving.write('title', 'New')
      saving.insert('first')
    })
    void page.evaluate(() => saving.flush()).catch(() => {})
    await expect.poll(() => page.evaluate(() => saving.isSafe())).toBe(true)
    await page.close()
    proxy.chance = 0
    page = await newTab()
    proxy.chance = 50
    await page.evaluate(() => saving.open('local', { isNew: true }))
    await page.evaluate(() => saving.write('words', 'Typed on'))
    await isStored(page)
    proxy.chance = 0
    const { body: list } = await service.editor.get('note', 'aposMode=draft&perPage=1')
    expect(list.total).toBe(before + 1)
    const docId = await page.evaluate(() => saving.docId())
    expect(await read(docId)).toMatchObject({ title: 'New', words: 'Typed on', links: [{ _id: 'first' }] })
  })

  test('5.2 two tabs with one document both save, and see what the other wrote', async () => {
    const docId = await makeNote()
    const other = await newTab()
    for (const tab of [page, other]) await tab.evaluate((id) => saving.open(id), docId)
    await Promise.all([
      page.evaluate(() => {
        saving.write('title', 'From the first')
        saving.insert('first')
      }),
      other.evaluate(() => {
        saving.write('words', 'From the second')
        saving.insert('second')
      }),
    ])
    await Promise.all([isStored(page), isStored(other)])
    const all = { title: 'From the first', words: 'From the second' }
    const stored = await read(docId)
    expect(stored).toMatchObject(all)
    expect(stored.links.map(({ _id }: { _id: string }) => _id).toSorted()).toEqual(['first', 'second'])
    for (const tab of [page, other]) await expect.poll(() => tab.evaluate(() => saving.content())).toMatchObject(all)
  })

  test('5.2 changes belong to one user, and can be thrown away', async () => {
    const docId = await makeNote()
    await page.evaluate((id) => saving.open(id, { user: 'ben' }), docId)
    proxy.chance = 100
    await page.evaluate(() => saving.write('title', 'Never sent'))
    await expect.poll(() => page.evaluate(() => saving.isSafe())).toBe(true)
    await page.evaluate(() => saving.wipe('ann'))
    expect(await page.evaluate(() => saving.left('ben'))).toHaveLength(1)
    await page.evaluate(() => saving.wipe('ben'))
    expect(await page.evaluate(() => saving.left('ben'))).toEqual([])
  })

  test('5.2 where the browser keeps nothing, the text stays in the tab, which says so', async () => {
    const docId = await makeNote()
    await page.evaluate(() => {
      indexedDB.open = () => {
        throw new DOMException('Not here.', 'SecurityError')
      }
    })
    await page.evaluate((id) => saving.open(id), docId)
    proxy.chance = 100
    await page.evaluate(() => saving.write('title', 'In the tab alone'))
    await expect.poll(() => page.evaluate(() => saving.trouble())).toBe('unavailable')
    expect(await page.evaluate(() => saving.isSafe())).toBe(false)
    proxy.chance = 0
    await page.evaluate(() => saving.flush())
    await isStored(page)
    expect((await read(docId)).title).toBe('In the tab alone')
    expect(await page.evaluate(() => saving.isSafe())).toBe(true)
  })
})
