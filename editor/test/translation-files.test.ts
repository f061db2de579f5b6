import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { defineSite, page as pageType, piece } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import { type Desk, describeEditor, expectAccessibleBothWays } from './editor.ts'

const site = defineSite({
  name: 'Words',
  locales: {
    en: { label: 'English' },
    fr: { label: 'Français', prefix: '/fr' },
    ar: { label: 'العربية', prefix: '/ar' },
  },
  types: [
    piece('word', { label: 'Word', fields: { add: { lead: { type: 'string', max: 40 } } } }),
    piece('rule', { label: 'Rule', editRole: 'admin' }),
    pageType('leaf', { label: 'Leaf' }),
  ],
})

describeEditor('Files for translators', { site }, ({ service, desk }) => {
  let editor: Desk
  let page: Page
  const choose = async (entry: string) => {
    await page.getByRole('button', { name: 'Translation' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
    return page.getByRole('dialog')
  }
  const download = async (): Promise<string> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Download' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('word-en-fr.xlf')
    return readFile(await file.path(), 'utf8')
  }
  const translate = (xml: string, mark: string) =>
    xml.replaceAll(
      /(<source[^>]*>)(.*?)<\/source>(?:<target[^>]*>.*?<\/target>)?/gs,
      (_, start, source) => `${start}${source}</source><target xml:space="preserve">${source}${mark}</target>`,
    )
  const give = (text: string) =>
    page
      .getByLabel('File from the translator')
      .setInputFiles({ name: 'fr.xlf', mimeType: 'application/xliff+xml', buffer: Buffer.from(text) })

  beforeAll(async () => {
    for (const title of ['Ink', 'Paper', 'Press']) await service.editor.post('word', { title, lead: `On ${title}` })
    await service.admin.post('rule', { title: 'Rule' })
    editor = await desk('editor')
    page = editor.page
  })

  test('7 what is selected goes out, and comes back as a draft that the report leads to', async () => {
    await editor.open('/content/word?locale=en')
    await page.getByRole('checkbox', { name: 'Select Ink' }).check()
    const dialog = await choose('Export for translation…')
    await expect.poll(() => dialog.getByLabel('1 selected document').isChecked()).toBe(true)
    await expectAccessibleBothWays(page, 'export')
    const file = await download()
    await dialog.getByText('word-en-fr.xlf was downloaded.').waitFor()
    await page.keyboard.press('Escape')
    expect(file).toContain('>On Ink</source>')
    expect(file).not.toContain('Paper')

    await choose('Import translation…')
    await give(translate(file, ' FR'))
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByText('1 draft in Français would be made or changed.').waitFor()
    await dialog.getByText('Nothing is changed yet.').waitFor()
    expect((await service.editor.get('word', 'aposLocale=fr:draft')).body.total).toBe(0)
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('1 draft in Français was made or changed.').waitFor()
    await expectAccessibleBothWays(page, 'report')
    await dialog.getByRole('link', { name: 'Ink' }).click()
    await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('Ink FR')
    expect(page.url()).toContain('locale=fr')
    await expect.poll(() => page.getByLabel('Lead', { exact: true }).inputValue()).toBe('On Ink FR')
  })

  test('7 a translation is shown before it is replaced, and what is wrong is listed with what to do', async () => {
    await editor.open('/content/word?locale=en')
    const dialog = await choose('Export for translation…')
    const file = await download()
    await page.keyboard.press('Escape')
    const { results } = (await service.editor.get('word', 'aposLocale=fr:draft')).body
    await service.editor.patch(`word/${results[0]._id}`, { title: 'Encre' })
    const translated = translate(file, ' FR2')
      .replace('On Paper FR2', 'x'.repeat(60))
      .replace(
        '</file>',
        '</file><file id="f99" original="word/elsewhere"><unit id="u1" name="title"><segment><source>A</source><target>B</target></segment></unit></file>',
      )
    await choose('Import translation…')
    await give(translated)
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByRole('heading', { name: '2 documents are not imported' }).waitFor()
    await dialog.getByText('Use at most 40 characters.').waitFor()
    await dialog.getByText('It was deleted, or the file is of another site.', { exact: false }).waitFor()
    const replaced = dialog.locator('section').filter({ has: page.getByRole('heading', { name: /replaced$/ }) })
    await replaced.getByRole('deletion').getByText('Encre', { exact: true }).waitFor()
    await replaced.getByText('changed since the export').waitFor()
    await expectAccessibleBothWays(page, 'check')
    expect((await service.editor.get(`word/${results[0]._id}`)).body.title).toBe('Encre')

    // Somebody writes between check and import: nothing is replaced that was not shown.
    await service.editor.patch(`word/${results[0]._id}`, { title: 'L’encre' })
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('Check the file again', { exact: false }).waitFor()
    expect((await service.editor.get(`word/${results[0]._id}`)).body.title).toBe('L’encre')
    await dialog.getByRole('button', { name: 'Check' }).click()
    await replaced.getByRole('deletion').getByText('L’encre', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('2 drafts in Français were made or changed.').waitFor()
    expect((await service.editor.get(`word/${results[0]._id}`)).body.title).toBe('Ink FR2')
    await page.keyboard.press('Escape')
  })

  test('7 what the list finds goes out alone; a file that is none says so; the keyboard does all of it', async () => {
    await editor.open('/content/word?locale=en&search=Press')
    await page.getByRole('status').getByText('1 document', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Translation' }).focus()
    await page.keyboard.press('ArrowDown')
    const first = page.getByRole('menuitem', { name: 'Export for translation…' })
    await expect.poll(() => first.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Export for translation' })
    await dialog.getByLabel('The 1 document that is listed').waitFor()
    const file = await download()
    expect(file).toContain('>Press</source>')
    expect(file).not.toContain('>Ink</source>')
    await page.keyboard.press('Escape')
    expect(
      await page.getByRole('button', { name: 'Translation' }).evaluate((one) => one === document.activeElement),
    ).toBe(true)
    await choose('Import translation…')
    await give('<html/>')
    await page.getByRole('dialog').getByRole('button', { name: 'Check' }).click()
    await page.getByRole('dialog').getByText('The file is not XLIFF 2.', { exact: false }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('7 pages have it too; who may not edit a type has not', async () => {
    await editor.open('/pages?locale=en')
    await page.getByRole('button', { name: 'Translation' }).waitFor()
    await editor.open('/content/rule?locale=en')
    await page.getByRole('heading', { name: 'Rules' }).waitFor()
    expect(await page.getByRole('button', { name: 'Translation' }).count()).toBe(0)
    const { page: other, open } = await desk('contributor')
    await open('/content/word?locale=en')
    await other.getByRole('heading', { name: 'Words' }).waitFor()
    expect(await other.getByRole('button', { name: 'Translation' }).count()).toBe(0)
  })
})
