import { expect, test } from 'vitest'
import { defineSite, piece, widget } from '../../cms/src/index.ts'
import { focused } from './by-keyboard.ts'
import { describeEditor } from './editor.ts'

const text = { type: 'string', required: true } as const
const ROWS = 100

const site = defineSite({
  types: [
    piece('note', {
      fields: {
        add: {
          subtitle: { type: 'string', max: 10 },
          rows: { type: 'array', titleField: 'name', fields: { add: { name: { type: 'string' }, mail: text } } },
          address: { type: 'object', fields: { add: { city: text } } },
          body: { type: 'area', widgets: { quote: {} } },
        },
      },
    }),
  ],
  widgets: [widget('quote', { label: 'Quotation', fields: { add: { words: text } } })],
})

describeEditor('editor: problems', { site }, ({ service, desk }) => {
  const made = async (fields: object): Promise<string> =>
    (await service.editor.post('note', { title: 'Note', _incomplete: true, ...fields }, 'aposMode=draft')).body
      .aposDocId

  test('§11 editor 7 each of a hundred problems says where it lies, and leads there', async () => {
    const rows = Array.from({ length: ROWS }, (_, index) => ({ name: index === 0 ? 'Ann' : '', mail: '' }))
    const id = await made({ rows, body: { items: [{ type: 'quote', words: '' }] } })
    const { page, open } = await desk('editor')
    await open(`/content/note/${id}`)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const list = page.getByRole('list', { name: 'Problems' })
    await list.waitFor()
    const told = await list.getByRole('listitem').allInnerTexts()
    expect(told).toHaveLength(ROWS + 2)
    expect(new Set(told).size).toBe(told.length)
    expect(told).toEqual(
      expect.arrayContaining([
        'Ann › Mail: This is required.',
        'Rows 2 › Mail: This is required.',
        'Rows 100 › Mail: This is required.',
        'Address › City: This is required.',
        'Quotation 1 › Words: This is required.',
      ]),
    )
    await list.getByRole('button', { name: 'Rows 100 › Mail: This is required.' }).click()
    await expect.poll(() => focused(page)).toBe('textbox "Mail"')
  })

  test('§11 editor 7 the bar names the field that cannot be saved; the others are', async () => {
    const id = await made({ rows: [{ name: 'Ann', mail: 'a' }] })
    const { page, open } = await desk('editor')
    await open(`/content/note/${id}`)
    await page.getByRole('textbox', { name: 'City' }).fill('Porto')
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Longer than ten letters')
    await page.getByRole('status').getByText('Not saved in full. Look at Subtitle.').waitFor()
    const stored = (await service.editor.get(`note/${id}`, 'aposMode=draft')).body
    expect(stored).toMatchObject({ subtitle: '', address: { city: 'Porto' } })
  })
})
