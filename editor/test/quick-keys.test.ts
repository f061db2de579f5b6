import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../cms/src/base/json.ts'
import { defineFieldType, defineSite, field as fieldOf, piece, widget } from '../../cms/src/index.ts'
import { jpeg } from '../../cms/test/media.ts'
import { focused } from './by-keyboard.ts'
import { type Desk, describeEditor } from './editor.ts'
import { held } from './held.ts'

const numbers = defineFieldType({
  name: 'numbers',
  options: z.strictObject({ most: z.int() }),
  blank: (): number[] => [],
  read: (input) => (Array.isArray(input) ? input.map(Number) : []),
  toText: (value) => value.join(' '),
  jsonSchema: () => ({ type: 'array' }),
})

const site = defineSite({
  fieldTypes: [numbers],
  types: [
    piece('topic', { label: 'Topic' }),
    piece('note', {
      label: 'Note',
      fields: {
        add: {
          extra: fieldOf(numbers, { label: 'Extra', most: 9 }),
          price: { type: 'float', label: 'Price' },
          body: { type: 'area', label: 'Body', widgets: { '@cms/rich-text': { toolbar: ['bold'] }, quote: {} } },
          _topics: {
            type: 'relationship',
            label: 'Topics',
            withType: 'topic',
            fields: { add: { why: { type: 'string', label: 'Why' } } },
          },
          _image: { type: 'relationship', label: 'Image', withType: '@cms/image', max: 1 },
        },
      },
    }),
  ],
  widgets: [widget('quote', { label: 'Quotation', fields: { add: { words: { type: 'string', label: 'Words' } } } })],
})

describeEditor('editor: keys that come before anything is drawn', { site }, ({ service, desk }) => {
  let at: Desk
  let page: Page
  beforeAll(async () => {
    at = await desk('editor')
    page = at.page
    await page.clock.install()
  })
  const opened = async (values: JsonObject): Promise<() => Promise<JsonObject>> => {
    const { body } = await service.editor.post('note', { title: 'Note', ...values }, 'aposMode=draft')
    await at.open(`/content/note/${body.aposDocId}`)
    await page.getByRole('heading', { level: 1, name: 'Note' }).waitFor()
    return async () => (await service.editor.get(`note/${body.aposDocId}`, 'aposMode=draft')).body
  }
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const group = (name: string, within: Page | Locator = page) => within.getByRole('group', { name, exact: true })
  const text = () => group('Rich text 1').getByRole('textbox')
  const blocks = () => page.getByRole('listbox', { name: 'Blocks for Body' })
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const more = () => page.getByRole('region', { name: 'Publishing' }).getByRole('button', { name: 'More actions' })
  const item = (index: number) => page.getByRole('menuitem').nth(index)
  /** As on a machine that is busy: keys come, but no frame and no timer. */
  const busy = async (work: () => Promise<void>) => {
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
    try {
      await work()
    } finally {
      await page.clock.resume()
    }
  }

  test('§11 editor 16 a / right after a text was emptied opens the list; Escape leads back into the text', async () => {
    const stored = await opened({ body: { items: [{ type: '@cms/rich-text', content: '<p>Ink</p>' }] } })
    await text().focus()
    await page.getByRole('toolbar', { name: 'Text' }).waitFor()
    await busy(async () => {
      await press('Control+a', 'Delete', '/')
      await blocks().waitFor()
      await press('Escape')
      expect(await focused(page)).toBe('textbox "Rich text 1: Content"')
      await page.keyboard.type('2 of 3')
    })
    await expect.poll(stored).toMatchObject({ body: { items: [{ content: '<p>/2 of 3</p>' }] } })
  })

  test('§11 editor 16 what is typed after a block was chosen is in it from the first letter on', async () => {
    const stored = await opened({ body: { items: [{ type: '@cms/rich-text', content: '' }] } })
    await text().focus()
    await page.getByRole('toolbar', { name: 'Text' }).waitFor()
    await busy(async () => {
      await press('/', 'q', 'Enter')
      await page.keyboard.type('Wait.')
    })
    await expect.poll(stored).toMatchObject({ body: { items: [{ type: 'quote', words: 'Wait.' }] } })
  })

  test('§11 editor 16 blocks that are moved and removed leave the focus to the next key', async () => {
    const items = ['One', 'Two', 'Three'].map((words) => ({ type: 'quote', words }))
    const stored = await opened({ body: { items } })
    await group('Quotation 1').locator('.q-item-title').focus()
    await busy(() => press('Alt+ArrowDown', 'Delete', 'Delete'))
    await expect.poll(stored).toMatchObject({ body: { items: [{ words: 'Two' }] } })
  })

  test('§11 editor 6 a number that is typed is not put back in between', async () => {
    const stored = await opened({})
    await field('Price').focus()
    await busy(async () => {
      await page.keyboard.type('1.57')
      expect(await field('Price').inputValue()).toBe('1.57')
    })
    await expect.poll(stored).toMatchObject({ price: 1.57 })
  })

  test('§11 editor 6 JSON that is typed is not written anew in between', async () => {
    const stored = await opened({})
    await field('Extra').fill('[]')
    await press('ArrowLeft')
    await busy(async () => {
      await page.keyboard.type('1,23')
      expect(await field('Extra').inputValue()).toBe('[1,23]')
    })
    await expect.poll(stored).toMatchObject({ extra: [1, 23] })
  })

  test('§11 editor 6 what a relationship says takes each key', async () => {
    const { body: topic } = await service.admin.post('topic', { title: 'Rivers' })
    const stored = await opened({ _topics: [{ ...topic, _fields: { why: 'Old' } }] })
    const why = group('Rivers').getByLabel('Why')
    await why.focus()
    await busy(() => press('End', 'a', 'Backspace'))
    await page.clock.runFor(100)
    await press('b')
    await expect.poll(async () => (await stored())._topics).toMatchObject([{ _fields: { why: 'Oldb' } }])
  })

  test('§11 editor 6 chosen documents move with each key', async () => {
    const made = ['Ink', 'Paper', 'Galls'].map(async (title) => (await service.admin.post('topic', { title })).body)
    const stored = await opened({ _topics: await Promise.all(made) })
    await group('Ink').getByRole('button', { name: 'Move down' }).focus()
    await busy(() => press('Enter', 'Enter'))
    const titles = async () => ((await stored())._topics as JsonObject[]).map(({ title }) => title)
    await expect.poll(titles).toEqual(['Paper', 'Galls', 'Ink'])
    await group('Paper').getByRole('button', { name: 'Remove' }).focus()
    await busy(() => press('Enter', 'Enter'))
    await expect.poll(titles).toEqual(['Ink'])
  })

  test('§11 editor 6 what is typed for a dialog that opens is not typed below it', async () => {
    await opened({})
    await field('Title').focus()
    await busy(async () => {
      await press('Control+Shift+S', 'x')
      await page.getByRole('dialog', { name: 'Name this version' }).waitFor()
    })
    expect(await page.locator('input').evaluateAll((all) => all.map((one) => 'value' in one && one.value))).toContain(
      'Note',
    )
  })

  test('§11 editor 6 a menu takes the key after the one that opened it', async () => {
    await opened({})
    await more().focus()
    await busy(() => press('ArrowDown', 'ArrowDown'))
    await expect.poll(isFocused(item(1))).toBe(true)
  })

  test('§11 editor 6 a menu keeps its place when the save before it is answered', async () => {
    await opened({})
    const { isThere, letGo } = await held(page, 'PATCH', '**/api/v1/note/*')
    await field('Title').fill('Notes')
    await isThere
    await more().press('ArrowDown')
    await expect.poll(isFocused(item(0))).toBe(true)
    await press('ArrowDown')
    letGo()
    await page
      .getByRole('status')
      .getByText(/^Saved/)
      .waitFor()
    await page.clock.runFor(100)
    expect(await isFocused(item(1))()).toBe(true)
  })

  test('§11 editor 2 a list shows what was saved just before the document was left', async () => {
    const { body } = await service.editor.post('note', { title: 'Before' }, 'aposMode=draft')
    await at.open('/content/note')
    await page.getByRole('link', { name: 'Before' }).click()
    await field('Title').fill('After')
    const { isThere, letGo } = await held(page, 'PATCH', `**/api/v1/note/${body.aposDocId}*`)
    await press('Control+S')
    await isThere
    await busy(async () => {
      letGo()
      await page
        .getByRole('status')
        .getByText(/^Saved/)
        .waitFor()
      await page.getByRole('link', { name: 'Back to Notes' }).click()
    })
    await page.getByRole('link', { name: 'After' }).waitFor()
  })

  test('§11 editor 2 an alternative text that is typed on while it is saved keeps what was typed', async () => {
    await opened({})
    const upload = { name: 'Old town.jpg', mimeType: 'image/jpeg', buffer: await jpeg() }
    await group('Image').locator('input[type=file]').setInputFiles(upload)
    const alternative = group('Old town').getByLabel('Alternative text')
    const { isThere, letGo } = await held(page, 'PATCH', '**/api/v1/@cms/image/*')
    await alternative.fill('Roofs')
    await alternative.press('Tab')
    await isThere
    await alternative.press('End')
    await page.keyboard.type(', red')
    const renewed = page.waitForResponse((response) => response.url().includes('/@cms/image?'))
    letGo()
    await renewed
    await page.clock.runFor(100)
    expect(await alternative.inputValue()).toBe('Roofs, red')
    await alternative.press('Tab')
    const stored = async () => (await service.editor.get('@cms/image', 'aposMode=draft')).body.results
    await expect.poll(stored).toMatchObject([{ alt: 'Roofs, red' }])
  })
})

function isFocused(element: Locator): () => Promise<boolean> {
  return () => element.evaluate((one) => one === document.activeElement)
}
