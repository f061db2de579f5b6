import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { site } from '../../example/site.ts'
import { focused } from './by-keyboard.ts'
import { type Desk, describeEditor } from './editor.ts'
import { expectFits } from './looks.ts'

describeEditor('Documents and pages for everybody', { site }, ({ service, desk }) => {
  let editor: Desk
  let page: Page
  let article: string
  beforeAll(async () => {
    await service.editor.post('topic', { title: 'Rivers' })
    await service.editor.post('@cms/page', {
      type: 'text-page',
      title: 'Press',
      _targetId: '_home',
      _position: 'lastChild',
    })
    const items = [
      { type: '@cms/rich-text', content: '<h2>Ink</h2><p>Slow <a href="/press">ink</a></p>' },
      { type: 'quote', words: 'Wait.' },
    ]
    article = (await service.editor.post('article', { title: 'Eels', body: { items } })).body.aposDocId
    editor = await desk('editor')
    page = editor.page
  })
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const open = async (path: string, heading: string) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await editor.open(path)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
  const shut = async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  test('16 axe finds nothing in a document with blocks, and in one that is new', async () => {
    await open(`/content/article/${article}`, 'Eels')
    await page.getByRole('tab', { name: 'Styles', exact: true }).click()
    await expectFits(page, 'document')
    await open('/content/article/new', 'New Article')
    await expectFits(page, 'new document')
  })

  test('16 axe finds nothing while a text is edited; Escape leads to its tools, and to the head of its block', async () => {
    await open(`/content/article/${article}`, 'Eels')
    await page.getByRole('textbox', { name: 'Rich text 1' }).click()
    await page.getByRole('toolbar', { name: 'Text' }).waitFor()
    await expectFits(page, 'text')
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('button "Bold"')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('button "Rich text 1"')
  })

  test('16 axe finds nothing in the dialog of a link, and in menus', async () => {
    await open(`/content/article/${article}`, 'Eels')
    await page.getByRole('textbox', { name: 'Rich text 1' }).click()
    await button('Link').click()
    await page.getByRole('searchbox', { name: 'Find a document' }).fill('pre')
    await button(/^Press/).waitFor()
    await expectFits(page, 'link')
    await button('Cancel').click()
    await open(`/content/article/${article}`, 'Eels')
    await button('More actions').click()
    await page.getByRole('menu').waitFor()
    await expectFits(page, 'menu')
  })

  test('16 axe finds nothing in the dialog to choose from', async () => {
    await open(`/content/article/${article}`, 'Eels')
    await page.getByRole('group', { name: 'Topics' }).getByRole('button', { name: 'Browse' }).click()
    await page.getByRole('checkbox', { name: 'Select Rivers' }).waitFor()
    await expectFits(page, 'choose')
  })

  test('16 axe finds nothing where something is wrong, and where changes are shown', async () => {
    await open(`/content/article/${article}`, 'Eels')
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Counted by hand')
    await button('See changes').click()
    await page.getByRole('dialog', { name: 'Changes' }).getByText('Counted by hand').waitFor()
    await expectFits(page, 'changes')
    await shut()
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('')
    await button('Publish').or(button('Publish changes')).click()
    await page.getByRole('list', { name: 'Problems' }).waitFor()
    await expectFits(page, 'problems')
  })

  test('16 axe finds nothing where two changed the same field', async () => {
    const { aposDocId: id } = (await service.editor.post('article', { title: 'Conflict' })).body
    await open(`/content/article/${id}`, 'Conflict')
    await service.editor.patch(`article/${id}`, { subtitle: 'Theirs' }, 'aposMode=draft')
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Mine')
    await button('Use theirs').waitFor()
    await expectFits(page, 'conflict')
    await button('Use mine').click()
  })

  test('16 axe finds nothing in the tree of pages and its dialogs', async () => {
    await open('/pages', 'Pages')
    await page.getByRole('row', { name: /Home/ }).press('ArrowRight')
    await page.getByRole('row', { name: /Press/ }).waitFor()
    await expectFits(page, 'tree')
    await button('New page').click()
    await page.getByRole('dialog', { name: 'New page' }).waitFor()
    await expectFits(page, 'new page')
    await shut()
    await button('More actions: Press').click()
    await expectFits(page, 'menu of a page')
    await page.getByRole('menuitem', { name: 'Move to…' }).click()
    await page.getByRole('dialog', { name: 'Move Press' }).waitFor()
    await expectFits(page, 'move')
  })

  test.each(['/content/nothing', '/content/article/nothing', '/pages/nothing', '/nowhere'])(
    '16 axe finds nothing at /admin%s, where nothing is',
    async (path) => {
      await page.setViewportSize({ width: 1280, height: 900 })
      await editor.open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectFits(page, path)
    },
  )
})
