import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { site } from '../../example/site.ts'
import { type Desk, describeEditor } from './editor.ts'
import { expectFits } from './looks.ts'

describeEditor('Notices for everybody', { site }, ({ service, desk }) => {
  let editor: Desk
  let page: Page
  beforeAll(async () => {
    editor = await desk('editor')
    page = editor.page
  })
  const article = async (title: string): Promise<string> => {
    const items = [{ type: '@cms/rich-text', content: '<p>Ink</p>' }]
    const body = { title, section: 'essay', body: { items } }
    return (await service.editor.post('article', body, 'aposMode=draft')).body.aposDocId
  }
  const open = async (id: string) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await editor.open(`/content/article/${id}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).waitFor()
  }
  /** Writes into a document that cannot be saved, until the journal has it. */
  const leave = async (id: string, words: string) => {
    await open(id)
    await editor.context.route('**/api/v1/article/**', (route) => route.abort())
    await page.getByRole('textbox', { name: 'Subtitle' }).fill(words)
    await page
      .getByRole('status')
      .getByText(/^Not saved/)
      .waitFor()
  }
  const connect = () => editor.context.unroute('**/api/v1/article/**')

  test('16 axe finds nothing in the list of blocks to add, with and without the pointer on it', async () => {
    await open(await article('Blocks'))
    await page.getByRole('button', { name: 'Add block to Body' }).click()
    await page.getByRole('listbox').waitFor()
    await expectFits(page, 'blocks to add')
    await page.getByRole('listbox').getByRole('option').first().hover()
    await expectFits(page, 'a block under the pointer')
  })

  test('16 axe finds nothing where changes are left on this device, in the document and at Home', async () => {
    const id = await article('Left behind')
    await leave(id, 'Only here')
    await expectFits(page, 'not saved')
    await connect()
    await page.reload()
    await page.getByRole('button', { name: 'Put them back' }).waitFor()
    await expectFits(page, 'put them back')
    await editor.open('/')
    await page.getByRole('region', { name: 'Not saved yet: on this device only' }).waitFor()
    await expectFits(page, 'on this device only')
    await editor.open(`/content/article/${id}`)
    await page.getByRole('button', { name: 'Throw them away' }).click()
    await page.getByRole('textbox', { name: 'Subtitle' }).waitFor()
  })

  test('16 axe finds nothing where the document was deleted meanwhile, nor when it is opened again', async () => {
    const id = await article('Deleted meanwhile')
    await open(id)
    await service.admin.delete(`article/${id}:en:draft`)
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Still here')
    await page.getByRole('alert').getByText('Somebody else deleted this document').waitFor()
    await expectFits(page, 'deleted')
    await page.reload()
    await page.getByText('This document was deleted.').waitFor()
    await expectFits(page, 'deleted, and opened again')
  })

  test('16 axe finds nothing where a new version of the editor is offered', async () => {
    const id = await article('New version')
    await open(id)
    await editor.context.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }))
    const other = '<script type="module" src="/admin/assets/index-other.js"></script>'
    await editor.context.route(`**/admin/content/article/${id}`, (route) =>
      route.fulfill({ contentType: 'text/html', body: other }),
    )
    await page.getByRole('group', { name: 'Rich text 1' }).getByRole('textbox').focus()
    await page.getByText('A new version is ready.').waitFor()
    await expectFits(page, 'new version')
    await expect.poll(() => page.getByRole('alert').filter({ hasText: 'A new version' }).isVisible()).toBe(true)
  })
})
