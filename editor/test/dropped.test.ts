import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../cms/src/app.ts'
import { defineSite, piece, widget } from '../../cms/src/index.ts'
import { describeEditor, expectAccessible, signIn } from './editor.ts'

const words = widget('words', { fields: { add: { text: { type: 'string' } } } })
const gone = widget('gone', { fields: { add: { saying: { type: 'string' } } } })
const noteOf = (size: object, widgets: Readonly<Record<string, object>>, more: object = {}) =>
  // `as`: what is made by a program is typed as what a site author writes.
  defineSite({
    types: [piece('note', { fields: { add: { size, body: { type: 'area', widgets }, ...more } } } as object)],
    widgets: [words, ...('gone' in widgets ? [gone] : [])],
  } as object)
const then = noteOf({ type: 'string' }, { words: {}, gone: {} }, { motto: { type: 'string', label: 'Motto' } })
const now = noteOf({ type: 'integer', label: 'Size' }, { words: {} })

describeEditor('editor: history of what the site dropped', { site: then }, ({ service, visitor }) => {
  const serve = (site: typeof then) => createApp(site, { database: service.databaseUrl })
  test('§11 editor 23 a version with a field, a value and a widget that the site dropped is text, and restored without them', async () => {
    const items = [
      { metaType: 'widget', type: 'words', text: 'Stays' },
      { metaType: 'widget', type: 'gone', saying: 'Once said' },
    ]
    const { body } = await service.editor.post('note', {
      title: 'Old note',
      size: 'as large as a hand',
      motto: 'Slowly',
      body: { metaType: 'area', items },
    })
    const { aposDocId: id } = body
    await service.editor.patch(
      `note/${id}`,
      { title: 'New note', size: '4', body: { metaType: 'area', items: [] } },
      'aposMode=draft',
    )
    const app = await serve(now)
    onTestFinished(async () => {
      await app.close()
      await (await serve(then)).close()
      await service.admin.delete(`note/${id}`)
    })
    const { page } = await visitor()
    await page.goto(`${await app.listen(0, '127.0.0.1')}/admin`)
    await signIn(page, 'editor')
    await page.goto(`${new URL(page.url()).origin}/admin/content/note/${id}?side=history`)
    const panel = page.getByRole('complementary', { name: 'History' })
    const versions = panel.getByRole('list', { name: 'Versions' }).locator(':scope > li')
    await versions.first().getByRole('button').first().click()
    await panel.locator('.q-change').first().waitFor()
    await panel.locator('.q-change').filter({ hasText: 'Size' }).getByText('as large as a hand').waitFor()
    await panel
      .locator('.q-change')
      .filter({ hasText: 'Gone' })
      .getByText('The site does not take this value any more.')
      .waitFor({ state: 'attached' })
    await versions.nth(1).getByRole('button').first().click()
    await panel.getByRole('button', { name: 'Show whole document' }).click()
    await page.getByRole('dialog').getByText('Stays').waitFor()
    await expectAccessible(page, 'whole')
    await page.keyboard.press('Escape')
    await panel.getByRole('button', { name: 'Restore this version…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restore this version' })
    await dialog.getByText('as large as a hand').waitFor()
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await dialog.getByText('Restored, but for what the site does not take any more:').waitFor()
    await expect
      .poll(() => dialog.locator('dd').allInnerTexts())
      .toEqual(['Slowly', 'as large as a hand', 'Something that cannot be shown'])
    await expectAccessible(page, 'not restored')
  })
})
