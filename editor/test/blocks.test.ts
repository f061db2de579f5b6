import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../cms/src/base/json.ts'
import { defineSite, piece, widget } from '../../cms/src/index.ts'
import { type Desk, describeEditor, expectAccessible } from './editor.ts'

const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].map((letter) => `box${letter}`)

const site = defineSite({
  types: [
    piece('note', {
      label: 'Note',
      fields: {
        add: {
          steps: {
            type: 'array',
            label: 'Steps',
            titleField: 'what',
            max: 4,
            fields: { add: { what: { type: 'string', label: 'What' }, who: { type: 'string', label: 'Who' } } },
          },
          prices: {
            type: 'array',
            label: 'Prices',
            inline: true,
            fields: { add: { amount: { type: 'integer', label: 'Amount' } } },
          },
          body: {
            type: 'area',
            label: 'Body',
            widgets: {
              '@cms/rich-text': { toolbar: ['bold', 'link'], styles: [{ tag: 'p' }] },
              quote: {},
              '@cms/layout': {},
            },
          },
          many: {
            type: 'area',
            label: 'Many',
            max: 1,
            widgets: Object.fromEntries(names.concat('quote').map((one) => [one, {}])),
          },
          about: { type: 'richText', label: 'About', toolbar: ['bold'], styles: [{ tag: 'p' }] },
        },
      },
    }),
  ],
  widgets: [
    widget('quote', {
      label: 'Quotation',
      description: 'What somebody said.',
      fields: { add: { words: { type: 'string', label: 'Words' } } },
      styles: { add: { tint: { type: 'color', label: 'Tint', property: 'color' } } },
    }),
    ...names.map((name) => widget(name, { label: name, fields: { add: { text: { type: 'string', label: 'Text' } } } })),
  ],
})

describeEditor('blocks', { site }, (editor) => {
  const made = async (fields: JsonObject): Promise<string> => {
    const { body } = await editor.service.editor.post('note', { title: 'Note', ...fields }, 'aposMode=draft')
    // `as`: what a POST answers.
    return (body as { aposDocId: string }).aposDocId
  }
  const stored = async (id: string): Promise<JsonObject> => {
    const { body } = await editor.service.editor.get(`note/${id}`, 'aposMode=draft')
    // `as`: what a GET answers.
    return body as JsonObject
  }
  const opened = async (fields: JsonObject): Promise<Desk & { readonly id: string }> => {
    const id = await made(fields)
    const desk = await editor.desk('editor')
    await desk.open(`/content/note/${id}`)
    await desk.page.getByRole('heading', { level: 1, name: 'Note' }).waitFor()
    return { ...desk, id }
  }
  const saves = async (id: string, expected: JsonObject) => {
    await expect.poll(() => stored(id), { timeout: 15_000 }).toMatchObject(expected)
  }

  test('§4.3 an item is added, named by its title, moved by keys with the focus kept, duplicated and removed; all is saved', async () => {
    const { page, id } = await opened({ steps: [{ what: 'Cut' }, { what: 'Fold' }] })
    const steps = group(page, 'Steps')
    await steps.getByRole('button', { name: 'Add to Steps' }).click()
    await page.keyboard.type('Glue')
    const glue = group(steps, 'Glue')
    const head = glue.getByRole('button', { name: 'Glue', exact: true })
    await head.focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByText('Glue, now second of three').waitFor()
    await expect.poll(() => head.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+d')
    await expect.poll(() => steps.getByRole('button', { name: 'Remove' }).count()).toBe(4)
    await expect
      .poll(() => steps.getByRole('button', { name: 'Add to Steps' }).getAttribute('aria-disabled'))
      .toBe('true')
    await group(steps, 'Cut').getByRole('button', { name: 'Remove' }).click()
    await saves(id, { steps: [{ what: 'Glue' }, { what: 'Glue' }, { what: 'Fold' }] })
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await saves(id, { steps: [{ what: 'Cut' }, { what: 'Glue' }, { what: 'Glue' }, { what: 'Fold' }] })
    await expectAccessible(page, 'arrays')
  })

  test('§4.3 more than three items begin closed; one row of a compact array is one item', async () => {
    const { page } = await opened({
      steps: ['a', 'b', 'c', 'd'].map((what) => ({ what })),
      prices: [{ amount: 3 }],
    })
    const first = group(group(page, 'Steps'), 'a')
    expect(await first.getByRole('textbox').count()).toBe(0)
    await first.getByRole('button', { name: 'a', exact: true }).click()
    await expect.poll(() => first.getByRole('textbox', { name: 'What' }).inputValue()).toBe('a')
    await expect
      .poll(() => group(group(page, 'Prices'), 'Prices 1').getByRole('textbox', { name: 'Amount' }).inputValue())
      .toBe('3')
  })

  test('§4.5 a text is entered by a click and typed into at once, after what was there; one that is only entered is not written', async () => {
    const { page, id } = await opened({
      about: '<p>Ink</p>',
      body: { items: [{ type: '@cms/rich-text', content: '<p>Kept</p>' }] },
    })
    const before = await stored(id)
    const about = page.getByRole('textbox', { name: 'About' })
    await about.click()
    await page.getByRole('toolbar', { name: 'Text' }).waitFor()
    await page.getByRole('textbox', { name: 'Title' }).click()
    await page.getByRole('toolbar', { name: 'Text' }).waitFor({ state: 'detached' })
    expect(await stored(id)).toEqual(before)
    await page.reload()
    await about.click()
    await page.keyboard.type('Black ')
    await saves(id, { about: expect.stringMatching(/^<p>(?:Black Ink|InkBlack|Ink ?Black ?)/) })
    await group(page, 'Rich text 1').getByRole('textbox').fill('All new')
    await saves(id, { body: { items: [{ content: '<p>All new</p>' }] } })
  })

  test('§4.3 blocks are added, filled, styled and put into columns by the keyboard alone', async () => {
    const { page, id } = await opened({})
    const body = group(page, 'Body')
    await body.getByRole('button', { name: 'Add block to Body' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('listbox', { name: 'Blocks for Body' }).waitFor()
    await page.keyboard.press('q')
    await page.keyboard.press('Enter')
    await group(body, 'Quotation 1').waitFor()
    await page.keyboard.type('Wait.')
    await saves(id, { body: { items: [{ type: 'quote', words: 'Wait.' }] } })
    const quotation = group(body, 'Quotation 1')
    await quotation.getByRole('tab', { name: 'Styles' }).press('Enter')
    await quotation.getByRole('textbox', { name: 'Tint' }).pressSequentially('#123456')
    await body.getByRole('button', { name: 'Add block before Quotation 1' }).press('Enter')
    await page.keyboard.press('Enter')
    await group(body, 'Rich text 1').getByRole('toolbar', { name: 'Text' }).waitFor()
    await page.keyboard.type('First')
    await saves(id, {
      body: {
        items: [
          { type: '@cms/rich-text', content: '<p>First</p>' },
          { words: 'Wait.', tint: '#123456' },
        ],
      },
    })
    await body.getByRole('button', { name: 'Add block to Body' }).press('Enter')
    await page.getByRole('option', { name: 'Layout', exact: true }).click()
    const layout = group(body, /^Layout 3/)
    await layout.getByRole('button', { name: 'Add block to Columns' }).press('Enter')
    await page.keyboard.press('Enter')
    await layout.getByRole('button', { name: 'Add block to Content' }).press('Enter')
    await page.getByRole('option', { name: 'Rich text', exact: true }).click()
    await page.keyboard.type('Deep')
    await saves(id, {
      body: { items: [{}, {}, { columns: { items: [{ content: { items: [{ content: '<p>Deep</p>' }] } }] } }] },
    })
    await expectAccessible(page, 'blocks')
  })

  test('§4.3 a long list of blocks is searched; a full area says so', async () => {
    const { page } = await opened({})
    const adder = page.getByRole('button', { name: 'Add block to Many' })
    await adder.click()
    await page.getByRole('combobox', { name: 'Find a block' }).pressSequentially('somebody')
    await expect
      .poll(() => group(page, 'Many').getByRole('option').allInnerTexts())
      .toEqual([expect.stringContaining('Quotation')])
    await expectAccessible(page, 'the list of blocks')
    await page.keyboard.press('Escape')
    await expect.poll(() => adder.evaluate((element) => element === document.activeElement)).toBe(true)
    await adder.click()
    await page.keyboard.press('Enter')
    await group(group(page, 'Many'), 'boxA 1').waitFor()
    await expect.poll(() => adder.getAttribute('aria-disabled')).toBe('true')
    await page.getByText('At most 1 fits here.').first().waitFor({ state: 'attached' })
  })

  test('§4.3 a block of a type that is gone can be moved, and stays as it was', async () => {
    const { page, id } = await opened({
      body: {
        items: [
          { type: 'quote', words: 'A' },
          { type: 'quote', words: 'B' },
        ],
      },
    })
    const schema = /\/@cms\/schema/
    await page.route(schema, async (route) => {
      const answer = await route.fetch()
      const {
        widgets: { quote: _, ...widgets },
        ...rest
      } = await answer.json()
      await route.fulfill({ response: answer, json: { ...rest, widgets } })
    })
    await page.reload()
    const block = group(page, 'quote 1')
    await block.getByText('The site has no block of this kind here.').waitFor()
    await block.getByRole('button', { name: 'Move down' }).click()
    await saves(id, {
      body: {
        items: [
          { type: 'quote', words: 'B' },
          { type: 'quote', words: 'A' },
        ],
      },
    })
    await expectAccessible(page, 'unknown blocks')
  })

  test('§4.1 undoing takes back what was typed in a text, and then what was changed before it', async () => {
    const { page, id } = await opened({ about: '<p>Ink</p>', steps: [{ what: 'Cut' }] })
    await group(page, 'Steps').getByRole('textbox', { name: 'Who' }).fill('Ann')
    await page.getByRole('textbox', { name: 'About' }).press('End')
    await page.getByRole('toolbar', { name: 'Text' }).waitFor()
    await page.keyboard.type('well')
    await page.keyboard.press('Control+z')
    await expect.poll(() => page.getByRole('textbox', { name: 'About' }).innerText()).toBe('Ink')
    await page.keyboard.press('Control+z')
    await expect.poll(() => page.getByRole('textbox', { name: 'Who' }).inputValue()).toBe('')
    await saves(id, { about: '<p>Ink</p>', steps: [{ what: 'Cut', who: '' }] })
  })
})

function group(within: Page | Locator, name: string | RegExp): Locator {
  return within.getByRole('group', { name, exact: true })
}
