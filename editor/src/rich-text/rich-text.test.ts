import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { RichTextDriver } from '../../test/rich-text-driver.ts'

let text: RichTextDriver

beforeAll(async () => {
  text = await RichTextDriver.start()
})
afterAll(() => text.close())
afterEach(() => text.expectNoProblems())

describe('§4.5 a tool makes what the service keeps', () => {
  test.each([
    ['Bold', 'Control+b', '<p>Ink is <strong>slow</strong></p>'],
    ['Italic', 'Control+i', '<p>Ink is <em>slow</em></p>'],
    ['Underline', 'Control+u', '<p>Ink is <u>slow</u></p>'],
    ['Strikethrough', 'Control+Shift+x', '<p>Ink is <s>slow</s></p>'],
    ['Superscript', 'Control+.', '<p>Ink is <sup>slow</sup></p>'],
    ['Subscript', 'Control+,', '<p>Ink is <sub>slow</sub></p>'],
    ['Highlight', 'Control+Shift+h', '<p>Ink is <mark>slow</mark></p>'],
    ['Code', 'Control+e', '<p>Ink is <code>slow</code></p>'],
    ['Bulleted list', 'Control+Shift+8', '<ul><li>Ink is slow</li></ul>'],
    ['Numbered list', 'Control+Shift+7', '<ol><li>Ink is slow</li></ol>'],
    ['Quotation', 'Control+Shift+9', '<blockquote><p>Ink is slow</p></blockquote>'],
    ['Code block', 'Control+Alt+c', '<pre>Ink is slow</pre>'],
    ['Align left', 'Control+Shift+l', '<p style="text-align:left">Ink is slow</p>'],
    ['Align centre', 'Control+Shift+e', '<p style="text-align:center">Ink is slow</p>'],
    ['Align right', 'Control+Shift+r', '<p style="text-align:right">Ink is slow</p>'],
    ['Justify', 'Control+Shift+j', '<p style="text-align:justify">Ink is slow</p>'],
  ])('%s, by button and by %s, and back', async (name, key, expected) => {
    for (const act of [() => text.button(name).click(), () => text.page.keyboard.press(key)]) {
      await text.open('<p>Ink is slow</p>')
      await text.selectLastWord()
      await act()
      expect(await text.saved()).toBe(expected)
      expect(await text.button(name).getAttribute('aria-pressed')).toBe('true')
      await act()
      expect(await text.saved()).toBe('<p>Ink is slow</p>')
      expect(await text.button(name).getAttribute('aria-pressed')).toBe('false')
    }
  })

  test('Horizontal rule, Undo and Redo', async () => {
    await text.open('<p>Ink</p>')
    expect(await text.button('Undo').getAttribute('aria-disabled')).toBe('true')
    await text.button('Horizontal rule').click()
    expect(await text.saved()).toBe('<p>Ink</p><hr />')
    await text.button('Undo').click()
    expect(await text.saved()).toBe('<p>Ink</p>')
    await text.button('Redo').click()
    expect(await text.saved()).toBe('<p>Ink</p><hr />')
  })

  test('Style gives blocks what the area declares', async () => {
    await text.open('<p style="text-align:center">Ink</p>')
    const style = text.page.getByRole('combobox', { name: 'Style' })
    await style.selectOption('Heading 2')
    expect(await text.saved()).toBe('<h2 style="text-align:center">Ink</h2>')
    await style.selectOption('Lead')
    expect(await text.saved()).toBe('<p class="lead" style="text-align:center">Ink</p>')
    await style.selectOption('Paragraph')
    expect(await text.saved()).toBe('<p style="text-align:center">Ink</p>')
  })

  test('Style gives words a class', async () => {
    await text.open('<p>Ink is slow</p>')
    await text.selectLastWord()
    await text.page.getByRole('combobox', { name: 'Style' }).selectOption('Small')
    expect(await text.saved()).toBe('<p>Ink is <span class="small">slow</span></p>')
  })

  test('Image asks the host, and for the alternative text of one that is there', async () => {
    await text.open('<p></p>')
    await text.button('Image').click()
    const figure = (alt: string) =>
      `<figure><img src="/api/v1/@apostrophecms/image/abc/src" alt="${alt}" /><figcaption></figcaption></figure>`
    await expect.poll(() => text.saved()).toContain(figure('A boat'))
    await text.page.locator('[role=textbox] img[src]').click()
    await text.button('Image').click()
    await text.page.getByRole('textbox', { name: 'Alternative text' }).fill('Paper boat')
    await text.page.getByRole('button', { name: 'Apply' }).click()
    expect(await text.saved()).toContain(figure('Paper boat'))
  })

  test('Table: inserted, filled, and changed by its menu', async () => {
    await text.open('<p></p>')
    const choose = async (name: string) => {
      await text.button('Table').click()
      await text.page.getByRole('menuitem', { name }).click()
    }
    await choose('Insert table')
    await text.page.keyboard.type('a')
    await text.page.keyboard.press('Tab')
    await text.page.keyboard.type('b')
    await choose('Remove column')
    await choose('Remove row')
    await choose('Add row below')
    expect(await text.saved()).toContain(
      '<table><tr><td></td><td></td></tr><tr><td></td><td></td></tr><tr><td></td><td></td></tr></table>',
    )
    await choose('Remove table')
    expect(await text.saved()).not.toContain('table')
  })

  test('Table by keys alone', async () => {
    await text.open('<p></p>', ['table'])
    for (const key of ['Escape', 'Enter']) await text.page.keyboard.press(key)
    const item = (name: string) => text.page.getByRole('menuitem', { name }).and(text.page.locator(':focus'))
    await item('Insert table').waitFor()
    await text.page.keyboard.press('ArrowUp')
    await item('Remove table').waitFor()
    await text.page.keyboard.press('ArrowDown')
    await item('Insert table').waitFor()
    await text.page.keyboard.press('Enter')
    await text.page.keyboard.type('a')
    expect(await text.saved(['table'])).toContain('<table><tr><th>a</th><th></th><th></th></tr>')
  })

  test('Table: cells are marked and merged, split again, and headers set, by keys and menu', async () => {
    const table = '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>'
    const { keyboard } = text.page
    /** From the tools: the menu of tables, then the item, all by keys. */
    const choose = async (name: string) => {
      await keyboard.press('Escape')
      await text.frame()
      await keyboard.press('Enter')
      const focused = () => text.page.locator('[role=menuitem]:focus').innerText()
      for (let steps = 0; (await focused()) !== name && steps < 20; steps += 1) {
        await keyboard.press('ArrowDown')
        await text.frame()
      }
      await keyboard.press('Enter')
    }
    await text.open(table, ['table'])
    await text.page.locator('[role=textbox] td').first().click()
    await text.frame()
    for (const key of ['End', 'Shift+ArrowRight', 'Shift+ArrowRight']) {
      await keyboard.press(key)
      await text.frame()
    }
    await choose('Merge cells')
    expect(await text.saved(['table'])).toBe(
      '<table><tr><td colspan="2"><p>a</p><p>b</p></td></tr><tr><td>c</td><td>d</td></tr></table>',
    )
    await choose('Split cell')
    expect(await text.saved(['table'])).toContain('<td><p>a</p><p>b</p></td><td></td>')
    await choose('Header row')
    expect(await text.saved(['table'])).toContain('<tr><th><p>a</p><p>b</p></th><th></th></tr><tr><td>c</td>')
    await choose('Add row above')
    await choose('Add column before')
    expect((await text.saved(['table']))?.match(/<t[hd]/g)?.length).toBe(9)
    await text.open(table, ['table'])
    await text.page.locator('[role=textbox] td').first().click()
    await text.frame()
    await choose('Header column')
    expect(await text.saved(['table'])).toBe(
      '<table><tr><th>a</th><td>b</td></tr><tr><th>c</th><td>d</td></tr></table>',
    )
  })

  test('Colour and Anchor', async () => {
    await text.open('<p>Ink is slow</p>')
    await text.selectLastWord()
    await text.button('Colour').click()
    await text.page.getByLabel('Colour', { exact: true }).last().fill('#aa0000')
    await text.page.getByRole('button', { name: 'Apply' }).click()
    expect(await text.saved()).toBe('<p>Ink is <span style="color:#aa0000">slow</span></p>')
    await text.open('<p>Ink</p>')
    await text.button('Anchor').click()
    await text.page.getByRole('textbox', { name: 'Name' }).fill('1 two')
    await text.page.getByRole('button', { name: 'Apply' }).click()
    await text.page.getByRole('textbox', { name: 'Name' }).fill('two')
    await text.page.keyboard.press('Enter')
    expect(await text.saved()).toBe('<p>Ink<span id="two"></span></p>')
  })
})

test('§4.5 what somebody else wrote is taken over without an echo, and the caret stays', async () => {
  await text.open('<p>One</p><p>Two</p>')
  await text.page.evaluate(() => testPage.text?.update('<p>One more</p><ul><li>x</li></ul><p>Two</p>'))
  expect(await text.page.evaluate(() => testPage.changes)).toEqual([])
  await text.page.keyboard.type('!')
  expect(await text.saved()).toBe('<p>One more</p><ul><li>x</li></ul><p>Two!</p>')
  await text.page.keyboard.press('Control+z')
  expect(await text.saved()).toBe('<p>One more</p><ul><li>x</li></ul><p>Two</p>')
})

test('§16 axe finds nothing in a text with all tools, with a menu or a dialog open', async () => {
  await text.open(
    '<h2>Ink</h2><p>is <a href="/x">slow</a></p><table><tr><th>a</th><td>b</td></tr></table><ul><li>c</li></ul><p></p>',
  )
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const findings = async () => {
    const found = await text.page.evaluate(
      `${axe}; axe.run().then(({ violations }) => violations.map((one) => one.id + one.nodes.map((node) => node.html)))`,
    )
    return found
  }
  expect(await findings()).toEqual([])
  await text.button('Table').click()
  expect(await findings()).toEqual([])
  await text.page.keyboard.press('Escape')
  await text.button('Link').click()
  expect(await findings()).toEqual([])
  await text.page.keyboard.press('Escape')
})

test('§2 the part that is loaded for rich text is at most 95 KB', () => {
  expect(gzipSync(text.files.script + text.files.styles, { level: 9 }).length).toBeLessThan(95_000)
})

test('§15 a text ends with the signal of its host, and leaves nothing behind', async () => {
  await text.open('<p>Ink</p>')
  await text.page.evaluate(() => testPage.ending.abort())
  expect(await text.page.evaluate(() => document.getElementById('host')?.innerHTML)).toBe('')
})
