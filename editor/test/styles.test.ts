import type { FrameLocator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { site } from '../../example/site.ts'
import { type Desk, describeEditor } from './editor.ts'
import { expectFits } from './looks.ts'

describeEditor('Styles', { site }, ({ service, desk }) => {
  let editor: Desk
  let page: Page
  const frame = (): FrameLocator => page.frameLocator('iframe[title="The page with these styles"]')
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const ink = () => page.getByRole('group', { name: 'By day' }).getByRole('textbox', { name: 'Ink', exact: true })
  const inkShown = () =>
    frame()
      .locator('html')
      .evaluate((element) => getComputedStyle(element).getPropertyValue('--ink'))
  const classShown = () => frame().locator('body').getAttribute('class')
  const css = async (mode: string) =>
    (
      await fetch(`${service.address}/api/v1/@cms/styles/stylesheet/locale/en/${mode}`, {
        headers: { authorization: 'ApiKey key-editor' },
      })
    ).text()
  const open = async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await editor.open('/site/styles')
    const shown = page.getByText('The page shows what is set here, saved or not.')
    await button('Throw them away').or(shown).waitFor()
    // What the test before has not saved is none of this one's.
    if (await button('Throw them away').isVisible()) await button('Throw them away').click()
    await shown.waitFor()
  }

  beforeAll(async () => {
    editor = await desk('editor')
    page = editor.page
    await page.emulateMedia({ colorScheme: 'light' })
  })

  test('12 the values are in tabs and sections as they are declared, presets as one block', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Styles' }).click()
    await page.getByRole('heading', { level: 1, name: 'Styles' }).waitFor()
    await tab('Colours').waitFor()
    await expect
      .poll(() => page.getByRole('tab').allInnerTexts())
      .toEqual(['Colours', 'Type', 'Widths and space', 'Pictures', 'Head and foot'])
    expect(await page.getByRole('textbox', { name: 'Slug' }).count()).toBe(0)
    await tab('Head and foot').click()
    await page.getByRole('group', { name: 'Head', exact: true }).getByLabel('Name of the magazine').waitFor()
    const background = page.getByRole('group', { name: 'Behind the name' })
    expect(await background.getByLabel('Kind').count()).toBe(0)
    await background.getByRole('checkbox', { name: 'Background' }).check()
    await background.getByLabel('Kind').waitFor()
    await button('Undo: Background')
      .or(page.getByRole('button', { name: /^Undo/ }))
      .first()
      .click()
  })

  test('12 unsaved values and classes are drawn in the page, which is a stranger; nobody else sees them', async () => {
    await open()
    const before = await css('draft')
    await page.route('**/api/v1/@cms/styles/*', async (route) => {
      if (route.request().method() === 'PATCH') await route.abort()
      else await route.continue()
    })
    await ink().fill('#cc0011')
    await expect.poll(inkShown).toContain('#cc0011')
    await tab('Head and foot').click()
    await page.getByRole('combobox', { name: 'Name of the magazine' }).selectOption('At the left')
    await expect.poll(classShown).toBe('masthead-left')
    await page.getByRole('combobox', { name: 'Name of the magazine' }).selectOption('In the middle')
    await expect.poll(classShown).toBe('masthead-centred')
    expect(await css('draft')).toBe(before)
    expect(
      await frame()
        .locator('html')
        .evaluate(() => globalThis.origin),
    ).toBe('null')
    await page.unroute('**/api/v1/@cms/styles/*')
  })

  test('12 a value that is half typed keeps what was drawn last, and what is right beside it is drawn', async () => {
    await open()
    await ink().fill('#00cc11')
    await expect.poll(inkShown).toContain('#00cc11')
    await ink().fill('#00cc1')
    await tab('Type').click()
    await page.getByRole('textbox', { name: 'Text size, as a number' }).fill('125')
    await expect
      .poll(() =>
        frame()
          .locator('html')
          .evaluate((element) => getComputedStyle(element).fontSize),
      )
      .toBe('20px')
    expect(await inkShown()).toContain('#00cc11')
    await tab('Colours').click()
    await ink().fill('#00cc11')
  })

  test('12 a value is reset to its default, and the change can be taken back', async () => {
    await open()
    await ink().fill('#0000cc')
    await expect.poll(() => css('draft')).toContain('#0000cc')
    await button('Reset to default: Ink').click()
    await expect.poll(() => ink().inputValue()).toBe('#161a2e')
    expect(await ink().evaluate((one) => one === document.activeElement)).toBe(true)
    await expect.poll(inkShown).toContain('#161a2e')
    expect(await button('Reset to default: Ink').count()).toBe(0)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(() => ink().inputValue()).toBe('#0000cc')
  })

  test('12 what differs from what is published is shown, and published as anywhere', async () => {
    await open()
    await ink().fill('#123456')
    await expect.poll(() => css('draft')).toContain('#123456')
    expect(await css('published')).not.toContain('#123456')
    await button('See changes').click()
    await page.getByRole('dialog', { name: 'Changes' }).getByText('123456').waitFor()
    await page.keyboard.press('Escape')
    await button('Publish').or(button('Publish changes')).click()
    await expect.poll(() => css('published')).toContain('#123456')
  })

  test('12 another page can be shown', async () => {
    const place = { _targetId: '_home', _position: 'lastChild' }
    await service.editor.post('@cms/page', { type: 'text-page', title: 'Rivers', ...place })
    await open()
    await page.getByRole('combobox', { name: 'Show another page' }).fill('Riv')
    await page.getByRole('option', { name: /Rivers/ }).click()
    await frame().getByRole('heading', { name: 'Rivers' }).waitFor()
    await ink().fill('#654321')
    await expect.poll(inkShown).toContain('#654321')
  })

  test('9 styles of a block are in a tab of their own, with their defaults', async () => {
    const items = [{ type: 'quote', words: 'Wait.' }]
    const { aposDocId } = (await service.editor.post('article', { title: 'Eels', body: { items } })).body
    await editor.open(`/content/article/${aposDocId}`)
    await tab('Styles').click()
    const words = page.getByRole('textbox', { name: 'Words', exact: true })
    await words.fill('#aa0000')
    await expect
      .poll(async () => (await service.editor.get(`article/${aposDocId}`, 'aposMode=draft')).body.body.items[0].color)
      .toBe('#aa0000')
    await button('Reset to default: Words').click()
    expect(await words.inputValue()).toBe('')
    await expectFits(page, 'styles of a block')
    await page.setViewportSize({ width: 1280, height: 900 })
    await tab('Content').click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Words' }).inputValue()).toBe('Wait.')
  })

  test('12 contributors have no styles in their menu', async () => {
    const contributor = await desk('contributor')
    const menu = contributor.page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('link', { name: 'Articles' }).waitFor()
    expect(await menu.getByRole('link', { name: 'Styles' }).count()).toBe(0)
  })

  test('16 axe finds nothing in the styles, also from right to left', async () => {
    await open()
    await ink().fill('#c01234')
    await button('Reset to default: Ink').waitFor()
    await expectFits(page, 'styles')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    await tab('Head and foot').click()
    await expectFits(page, 'styles from right to left')
  })
})
