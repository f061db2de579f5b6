import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { JsonObject } from '../../cms/src/base/json.ts'
import { defineSite, piece, widget } from '../../cms/src/index.ts'
import { focused } from './by-keyboard.ts'
import { type Desk, describeEditor, expectAccessible } from './editor.ts'

const text = { toolbar: ['styles', 'bold', 'link', 'bulletList'], styles: [{ tag: 'p' }, { tag: 'h2' }] }

const site = defineSite({
  types: [
    piece('note', {
      label: 'Note',
      fields: {
        add: {
          body: {
            type: 'area',
            label: 'Body',
            widgets: { '@cms/rich-text': text, quote: {}, '@cms/layout': {} },
          },
        },
      },
    }),
  ],
  widgets: [widget('quote', { label: 'Quotation', fields: { add: { words: { type: 'string', label: 'Words' } } } })],
})

/** What programs put on the clipboard. */
const PASTES = [
  {
    from: 'Word',
    html: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0cm}</style></head><body lang=EN-GB>
<!--StartFragment--><h1 style='margin-top:12.0pt'><span style='color:#2F5496'>Ink<o:p></o:p></span></h1><p class=MsoNormal><b style='mso-bidi-font-weight:normal'>Slow</b> and <i>black</i><o:p></o:p></p><!--EndFragment--></body></html>`,
    kept: '<p>Ink</p><p><strong>Slow</strong> and black</p>',
  },
  {
    from: 'Docs',
    html: `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38"><span style="font-family:Arial;font-weight:700">Slow</span><span style="font-family:Arial"> ink</span></p><ul><li dir="ltr" role="presentation"><p dir="ltr"><span>galls</span></p></li></ul></b>`,
    kept: '<p><strong>Slow</strong> ink</p><ul><li><p>galls</p></li></ul>',
  },
  {
    from: 'a web page',
    html: `<div class="post"><h2 onclick="x()">Ink</h2><script>alert(1)</script><div>Made of <a href="https://galls.example/" onmouseover="x()">galls</a> and <a href="javascript:alert(1)">iron</a></div></div>`,
    kept: '<h2>Ink</h2><p>Made of <a href="https://galls.example/">galls</a> and iron</p>',
  },
]

describeEditor('editor: arranging blocks', { site }, (editor) => {
  let page: Page
  let desk: Desk
  beforeAll(async () => {
    desk = await editor.desk('editor')
    page = desk.page
  })
  const opened = async (items: readonly JsonObject[]): Promise<() => Promise<JsonObject>> => {
    const { service } = editor
    const { body } = await service.editor.post('note', { title: 'Note', body: { items: [...items] } }, 'aposMode=draft')
    await desk.open(`/content/note/${body.aposDocId}`)
    await page.getByRole('heading', { level: 1, name: 'Note' }).waitFor()
    return async () => (await service.editor.get(`note/${body.aposDocId}`, 'aposMode=draft')).body.body
  }
  const list = () => page.getByRole('listbox', { name: 'Blocks for Body' })
  const words = () => group(page, 'Rich text 1').getByRole('textbox')

  test('§11 editor 16 a / in an empty text opens the list of blocks; Escape leaves the /', async () => {
    const stored = await opened([{ type: '@cms/rich-text', content: '' }])
    await words().focus()
    await page.getByRole('toolbar', { name: 'Text' }).waitFor()
    await page.keyboard.type('/')
    await list().waitFor()
    await expectAccessible(page, 'blocks by /')
    await page.keyboard.press('Escape')
    await list().waitFor({ state: 'detached' })
    await page.getByRole('toolbar', { name: 'Text' }).waitFor()
    await page.keyboard.type('2 of 3')
    await expect.poll(stored).toMatchObject({ items: [{ content: '<p>/2 of 3</p>' }] })
    await words().press('Control+a')
    await page.keyboard.press('Delete')
    await expect.poll(() => words().innerText()).toBe('\n')
    await page.keyboard.type('/')
    await list().waitFor()
    await page.keyboard.press('q')
    await page.keyboard.press('Enter')
    const quotation = group(page, 'Quotation 1').getByRole('textbox', { name: 'Words' })
    await quotation.waitFor()
    await expect.poll(() => focused(page)).toBe('textbox "Words"')
    await page.keyboard.type('Wait.')
    await expect.poll(stored).toMatchObject({ items: [{ type: 'quote', words: 'Wait.' }] })
    expect((await stored()).items).toHaveLength(1)
  })

  test('§11 editor 16 a / before the tools of a text are there opens the list as well', async () => {
    const stored = await opened([{ type: '@cms/rich-text', content: '' }])
    await words().press('/')
    await list().waitFor()
    await page.getByRole('option', { name: 'Quotation' }).click()
    await expect.poll(stored).toMatchObject({ items: [{ type: 'quote' }] })
  })

  test.each(PASTES)('§11 editor 16 what is pasted from $from is cleaned to the tools, and stays', async (pasted) => {
    const stored = await opened([{ type: '@cms/rich-text', content: '' }])
    await words().click()
    await page.getByRole('toolbar', { name: 'Text' }).waitFor()
    await words().evaluate((element, html) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', html)
      clipboardData.setData('text/plain', 'Ink')
      element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }))
    }, pasted.html)
    await expect.poll(stored).toMatchObject({ items: [{ content: pasted.kept }] })
    await page.reload()
    await words().waitFor()
    expect(await words().locator('.q-resting').innerHTML()).toBe(pasted.kept)
  })

  test('§11 editor 16 a block is moved out of a column, after the layout, and keeps its id', async () => {
    const deep = { type: 'quote', words: 'Deep' }
    const columns = { items: [{ type: '@cms/layout-column', content: { items: [deep] } }] }
    const stored = await opened([
      { type: '@cms/layout', columns },
      { type: 'quote', words: 'Last' },
    ])
    const before = JSON.stringify(await stored())
    const body = group(page, 'Body')
    const moved = group(group(body, 'Content'), 'Quotation 1')
    await moved.getByRole('button', { name: 'Move out' }).press('Enter')
    await page.getByText('Quotation was moved to Body.').waitFor({ state: 'attached' })
    await expect.poll(() => focused(page)).toBe('textbox "Words"')
    await expect.poll(stored).toMatchObject({
      items: [{ columns: { items: [{ content: { items: [] } }] } }, { words: 'Deep' }, { words: 'Last' }],
    })
    // `as`: the block just found.
    const [, { _id: id }] = (await stored()).items as [JsonObject, JsonObject]
    expect(before).toContain(String(id))
    expect(await group(body, 'Quotation 2').getByRole('button', { name: 'Move out' }).count()).toBe(0)
  })
})

function group(within: Page | Locator, name: string): Locator {
  return within.getByRole('group', { name, exact: true })
}
