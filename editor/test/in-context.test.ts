import type { FrameLocator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { defineSite, html, page as pageType, raw, widget } from '../../cms/src/index.ts'
import { type Desk, describeEditor } from './editor.ts'
import { expectFits } from './looks.ts'

/** A script as somebody could write it into a draft: it gives orders that only the form may give. */
const HOSTILE = `
const token = location.hash.slice(7)
for (const kind of ['save', 'patch', 'refresh', 'ask'])
  parent.postMessage({ quire: 1, token, kind, wish: 'publish', html: '<b>', values: { title: 'Taken' } }, '*')
globalThis.everything = async () => {
  const tried = async (work) => { try { return String(await work()) } catch (error) { return error.name } }
  return {
    cookie: await tried(() => document.cookie),
    storage: await tried(() => localStorage.length),
    parent: await tried(() => parent.document.title),
  }
}
globalThis.loadedAt = Math.random()
`

/** The addresses of drafts in the frame. */
const PAGES = /\/ink-\d+\?aposMode=draft/

const site = defineSite({
  types: [
    pageType('leaf', {
      fields: {
        add: {
          lead: { type: 'string', label: 'Lead' },
          body: { type: 'area', label: 'Body', widgets: { '@cms/rich-text': {}, quote: {}, failing: {} } },
          notes: { type: 'area', label: 'Notes', widgets: { quote: {} } },
        },
        group: {
          more: { label: 'More', fields: ['notes'] },
        },
      },
      render: ({ page }, scene) =>
        html`<h1${scene.edit(page, 'title')}>${page?.title}</h1><details><summary>Menu</summary>open</details>
          ${scene.area(page?.body as never)}<footer>${scene.area(page?.notes as never)}</footer>
          <p style="margin-top:200vh">end</p>`,
    }),
  ],
  widgets: [
    widget('quote', {
      label: 'Quotation',
      fields: {
        add: {
          words: { type: 'string', label: 'Words', required: true },
          by: { type: 'string', label: 'By' },
        },
      },
      render: ({ words }) => html`<blockquote style="min-height:60px"><p>${words}</p></blockquote>`,
    }),
    widget('failing', {
      label: 'Failing',
      fields: { add: { words: { type: 'string', label: 'Words' } } },
      render: () => {
        throw new Error('there is no ink')
      },
    }),
  ],
  layout: (content) =>
    html`<!doctype html><html lang="en"><title>A page</title><script>${raw(HOSTILE)}</script><main>${content}</main></html>`,
})

describeEditor('editor: the page beside the form', { site }, ({ service, desk }) => {
  let count = 0
  let at: Desk
  beforeAll(async () => {
    at = await desk('editor')
  })
  const texts = (...all: string[]) => ({
    items: all.map((words, at) => ({ _id: `w${count}x${at}`, type: 'quote', words })),
  })
  const made = async (more: object = {}, query = 'aposMode=draft'): Promise<string> => {
    count += 1
    const values = { type: 'leaf', title: `Ink ${count}`, slug: `/ink-${count}`, _targetId: '_home', _position: 0 }
    const body = texts('one', 'two', 'three')
    const answer = await service.editor.post('@cms/page', { ...values, body, ...more }, query)
    expect(answer.status).toBe(200)
    return answer.body.aposDocId
  }
  const stored = async (id: string) => (await service.editor.get(`@cms/page/${id}`, 'aposMode=draft')).body
  const opened = async (id: string) => {
    await at.open(`/pages/${id}`)
    return { ...at, ...(await live(at)) }
  }
  const live = async ({ page }: Pick<Desk, 'page'>) => {
    const inPage = page.frameLocator('iframe[title=Page]')
    await inPage.locator('quire-inside').waitFor({ state: 'attached' })
    return { inPage, panel: page.getByRole('complementary', { name: 'Page' }) }
  }
  const wordsIn = (inPage: FrameLocator) => expect.poll(() => inPage.locator('blockquote').allTextContents())
  const loading = (inPage: FrameLocator) => inPage.locator('html').evaluate(() => Reflect.get(globalThis, 'loadedAt'))
  const hasFocus = (page: Page, name: string) =>
    expect
      .poll(() =>
        page.evaluate(() => document.activeElement?.closest('fieldset[aria-label]')?.getAttribute('aria-label')),
      )
      .toBe(name)

  test('35 a block is clicked, edited and seen in the page before it is saved; nothing is loaded again', async () => {
    const id = await made()
    const { page, inPage } = await opened(id)
    const before = await loading(inPage)
    await inPage.locator('html').evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
      scrollTo(0, 40)
    })
    await inPage.getByText('two').click()
    await hasFocus(page, 'Quotation 2')
    let saves = 0
    page.on('request', (request) => {
      if (request.method() === 'PATCH') saves += 1
    })
    await page.keyboard.press('End')
    await page.keyboard.type(' and a half')
    await inPage.getByText('two and a half').waitFor()
    expect(saves).toBe(0)
    page.removeAllListeners('request')
    await expect.poll(async () => (await stored(id)).body.items[1].words).toBe('two and a half')
    await page.getByRole('textbox', { name: 'Lead' }).fill('Not shown')
    await page.waitForResponse(/aposRefresh/)
    await wordsIn(inPage).toEqual(['one', 'two and a half', 'three'])
    const kept = await inPage.locator('html').evaluate(() => [scrollY, document.querySelector('details')?.open])
    expect(kept).toEqual([40, true])
    await page.getByRole('textbox', { name: 'Title' }).fill('Red ink')
    await inPage.getByRole('heading', { name: 'Red ink' }).waitFor()
    expect(await loading(inPage)).toBe(before)
  })

  test('35 a field of the page leads to its control, and the focus in the form scrolls the page', async () => {
    const { page, inPage } = await opened(await made())
    await inPage.getByRole('heading').click()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Title' }).evaluate((one) => one.matches(':focus')))
      .toBe(true)
    await inPage.locator('html').evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.getByRole('group', { name: 'Quotation 1' }).getByRole('textbox', { name: 'Words' }).focus()
    await expect.poll(() => inPage.locator('html').evaluate(() => scrollY)).toBeLessThan(200)
  })

  test('35 blocks are moved, removed and added from the page, and each can be undone', async () => {
    const id = await made()
    const { page, inPage } = await opened(id)
    const undo = page.getByRole('button', { name: /^Undo/ }).first()
    const act = async (words: string, name: string) => {
      await inPage.getByText(words, { exact: true }).hover()
      await inPage.getByRole('button', { name, exact: true }).click()
    }
    await act('one', 'Move down')
    await wordsIn(inPage).toEqual(['two', 'one', 'three'])
    await undo.click()
    await wordsIn(inPage).toEqual(['one', 'two', 'three'])
    await act('two', 'Remove')
    await wordsIn(inPage).toEqual(['one', 'three'])
    await undo.click()
    await wordsIn(inPage).toEqual(['one', 'two', 'three'])
    await act('one', 'Add after')
    await page.getByRole('option', { name: 'Quotation' }).click()
    await hasFocus(page, 'Quotation 2')
    await page.keyboard.type('between')
    await wordsIn(inPage).toEqual(['one', 'between', 'two', 'three'])
    await expect.poll(async () => (await stored(id)).body.items.length).toBe(4)
  })

  test('35 a block goes into an empty area of another tab', async () => {
    const { page, inPage } = await opened(await made())
    await inPage.locator('[data-area-id]').evaluate((area: HTMLElement) => {
      area.style.minHeight = '40px'
    })
    await inPage.locator('[data-area-id]').scrollIntoViewIfNeeded()
    await inPage.locator('[data-area-id]').hover()
    await inPage.getByRole('button', { name: 'Add after' }).click()
    await hasFocus(page, 'Quotation 1')
    await page.keyboard.type('a note')
    await inPage.locator('footer').getByText('a note').waitFor()
  })

  test('35 the same by keys alone', async () => {
    const { page, inPage } = await opened(await made())
    await page.locator('iframe[title=Page]').focus()
    for (const key of ['Tab', 'Tab', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await hasFocus(page, 'Quotation 2')
    await page.locator('iframe[title=Page]').focus()
    for (const key of ['Tab', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    await wordsIn(inPage).toEqual(['two', 'one', 'three'])
    await page.keyboard.press('Escape')
    await hasFocus(page, 'Quotation 1')
  })

  test('a block whose values cannot be drawn keeps its last picture; one that fails says why', async () => {
    const id = await made()
    const { page, inPage } = await opened(id)
    const words = page.getByRole('group', { name: 'Quotation 1' }).getByRole('textbox', { name: 'Words' })
    const answered = page.waitForResponse(/render-widget/)
    await words.fill('')
    expect((await answered).headers()['content-type']).toContain('text/plain')
    await inPage.getByText('one', { exact: true }).waitFor()
    await words.fill('one again')
    await inPage.getByText('one again').waitFor()
    await expect.poll(async () => (await stored(id)).body.items[0].words).toBe('one again')
    const failing = { _id: 'f1', type: 'failing', words: 'x' }
    await opened(await made({ body: { items: [failing] } }))
    await inPage.getByRole('alert').getByText('there is no ink').waitFor()
  })

  test('§11.3 a hostile script in a draft gets nothing, and its orders are none', async () => {
    const id = await made()
    const { page, inPage } = await opened(id)
    const got = await inPage.locator('html').evaluate(() => Reflect.get(globalThis, 'everything')())
    expect(got).toEqual({ cookie: 'SecurityError', storage: 'SecurityError', parent: 'SecurityError' })
    expect((await stored(id)).title).toBe(`Ink ${count}`)
    await expect.poll(() => page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe(`Ink ${count}`)
  })

  test('the draft or what is published, in four widths; the panel is hidden, and that stands in the address', async () => {
    const id = await made()
    await service.editor.post(`@cms/page/${id}/publish`, {})
    const { page, inPage, panel } = await opened(id)
    await page.getByRole('group', { name: 'Quotation 1' }).getByRole('textbox', { name: 'Words' }).fill('not public')
    await inPage.getByText('not public').waitFor()
    const width = () => inPage.locator('html').evaluate(() => innerWidth)
    for (const pixels of [360, 768, 1280]) {
      await panel.getByRole('button', { name: `${pixels} px` }).click()
      await expect.poll(width).toBe(pixels)
    }
    await panel.getByRole('button', { name: 'Full width' }).click()
    await expect.poll(width).toBeLessThan(900)
    await panel.getByRole('button', { name: 'Published' }).click()
    await inPage.getByText('one', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Draft', exact: true }).click()
    await inPage.getByText('not public').waitFor()
    await panel.getByRole('button', { name: 'Hide the page' }).click()
    await panel.waitFor({ state: 'detached' })
    expect(page.url()).toContain('side=form')
    await page.reload()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    expect(await panel.count()).toBe(0)
    await page.getByRole('button', { name: 'Page', exact: true }).click()
    await panel.waitFor()
  })

  test('a page that is not there or not reached is told, and the form goes on', async () => {
    const id = await made()
    const { page, panel } = await opened(id)
    await page.route(PAGES, (route) => route.abort())
    await panel.getByRole('button', { name: 'Load the page again' }).click()
    await panel.getByRole('alert').getByText('There is no answer from').waitFor()
    await expect.poll(() => panel.getByRole('alert').textContent()).toContain(`/ink-${count}`)
    await page.getByRole('textbox', { name: 'Lead' }).fill('written without a page')
    await expect.poll(async () => (await stored(id)).lead).toBe('written without a page')
    await page.unroute(PAGES)
    await panel.getByRole('button', { name: 'Try again' }).click()
    await live({ page })
    await page.route(PAGES, (route) => route.fulfill({ status: 404, contentType: 'text/html', body: 'nothing' }))
    await panel.getByRole('button', { name: 'Load the page again' }).click()
    await panel.getByText('The site answers that there is no such page.').waitFor()
    await page.unroute(PAGES)
  })

  test('it is accessible, also on a telephone, where the page is shown when somebody asks for it', async () => {
    const { page, panel } = await opened(await made())
    await expectFits(page, 'page beside the form')
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    await expectFits(page, 'page beside the form, from right to left')
    await page.setViewportSize({ width: 360, height: 740 })
    await at.open(`/pages/${await made()}`)
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    expect(await panel.count()).toBe(0)
    await page.getByRole('button', { name: 'Page', exact: true }).click()
    const { inPage } = await live(at)
    await inPage.getByText('three').click()
    await hasFocus(page, 'Quotation 3')
  })
})
