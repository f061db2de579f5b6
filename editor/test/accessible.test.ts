import { defineSite, piece } from 'quire-cms'
import { beforeAll, test } from 'vitest'
import { picture } from '../../cms/test/file-bytes.ts'
import { type Desk, describeEditor, expectAccessible } from './editor.ts'
import { expectFits } from './looks.ts'

const site = defineSite({
  name: 'Screens',
  types: [
    piece('article', {
      label: 'Article',
      fields: { add: { section: { type: 'select', choices: ['essay', 'report'] }, date: { type: 'date' } } },
    }),
  ],
})

/** Below `/admin`, and what tells that the screen is there. */
const SCREENS = [
  { path: '', shows: 'Changed lately' },
  { path: '/content/article?f.section=essay', shows: 'Eels' },
  { path: '/content/article?search=nowhere', shows: 'Nothing matches.' },
  { path: '/media/images', shows: 'Published' },
  { path: '/media/files', shows: 'No Files yet' },
]

describeEditor('Screens for everybody', { site }, ({ service, desk, visitor }) => {
  let editor: Desk

  beforeAll(async () => {
    await service.editor.post('article', { title: 'Eels, counted by hand', section: 'essay', date: '2026-10-10' })
    const png = { name: 'a.png', mimeType: 'image/png', buffer: await picture().png().toBuffer() }
    editor = await desk('editor')
    await editor.open('/media/images')
    const choosing = editor.page.waitForEvent('filechooser')
    await editor.page.getByRole('button', { name: 'Upload', exact: true }).click()
    await (await choosing).setFiles([png, { ...png, name: 'b.txt' }])
    await editor.page.getByRole('region', { name: 'Alternative texts' }).waitFor()
  })

  test('16 axe finds nothing in the form Sign in, and nothing is cut off', async () => {
    const { page, open } = await visitor()
    await open('')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expectFits(page, 'sign-in')
  })

  test('16 axe finds nothing while files are uploaded, and nothing is cut off', async () => {
    await expectFits(editor.page, 'uploads')
  })

  test.each(SCREENS)('16 axe finds nothing at /admin$path, and nothing is cut off', async ({ path, shows }) => {
    const page = await editor.context.newPage()
    await page.goto(`/admin${path}`)
    await page.getByText(shows).first().waitFor()
    await expectFits(page, path)
    await page.close()
  })

  test('16 axe finds nothing where many are selected, and where some failed', async () => {
    const { page } = editor
    await editor.open('/media/images')
    await page.getByRole('checkbox', { name: 'Select A' }).check()
    await expectAccessible(page, 'selected')
    const { results } = (await service.editor.get('@cms/image')).body
    await service.editor.delete(`@cms/image/${results[0].aposDocId}`)
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByRole('dialog', { name: '1 document failed' }).waitFor()
    await expectAccessible(page, 'failed')
  })
})
