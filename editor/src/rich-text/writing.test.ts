import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { RichTextDriver } from '../../test/rich-text-driver.ts'

let text: RichTextDriver

beforeAll(async () => {
  text = await RichTextDriver.start()
})
afterAll(() => text.close())
afterEach(() => text.expectNoProblems())

describe('§4.5 a link leads to an address or a document', () => {
  test.each([
    ['example.org/a', 'https://example.org/a'],
    ['me@example.org', 'mailto:me@example.org'],
    ['/about?a=1', '/about?a=1'],
    ['#top', '#top'],
  ])('%s', async (typed, href) => {
    await text.open('<p>Ink is slow</p>')
    await text.selectLastWord()
    await text.page.keyboard.press('Control+k')
    await text.page.getByRole('dialog', { name: 'Link' }).getByLabel('Address').fill(typed)
    await text.page.keyboard.press('Enter')
    expect(await text.saved()).toBe(`<p>Ink is <a href="${href}">slow</a></p>`)
  })

  test('never to a script', async () => {
    await text.open('<p>Ink</p>')
    await text.button('Link').click()
    const address = text.page.getByRole('textbox', { name: 'Address' })
    for (const attack of ['javascript:alert(1)', ' java\tscript:alert(1)', 'data:text/html,x', 'a b']) {
      await address.fill(attack)
      await text.page.keyboard.press('Enter')
      expect(await address.getAttribute('aria-invalid')).toBe('true')
    }
    await text.page.keyboard.press('Escape')
    expect(await text.page.getByRole('dialog').count()).toBe(0)
    expect(await text.saved()).toBe(undefined)
  })

  test('of the site, which is kept by its id; what the link had is kept', async () => {
    await text.open('<p>Ink <a href="/x" id="a" rel="nofollow">slow</a></p>')
    await text.page.keyboard.press('ArrowLeft')
    await text.button('Link').click()
    await text.page.getByRole('searchbox', { name: 'Find a document' }).fill('boat')
    await text.page.getByRole('button', { name: 'A boat Page' }).click()
    await text.page.getByRole('checkbox', { name: 'Open in a new tab' }).check()
    await text.page.getByRole('button', { name: 'Apply' }).click()
    const link = '<a href="#apostrophe-permalink-boat1" id="a" rel="nofollow" target="_blank">slow</a>'
    expect(await text.saved()).toBe(`<p>Ink ${link}</p>`)
    await text.button('Link').click()
    await expect.poll(() => text.page.getByRole('dialog').textContent()).toContain('Leads to “A boat”')
    await text.page.getByRole('button', { name: 'Remove' }).click()
    expect(await text.saved()).toBe('<p>Ink slow</p>')
  })
})

describe('§4.5 keys', () => {
  test.each([
    ['## Ink', '<h2>Ink</h2>'],
    ['- Ink', '<ul><li>Ink</li></ul>'],
    ['1. Ink', '<ol><li>Ink</li></ol>'],
    ['> Ink', '<blockquote><p>Ink</p></blockquote>'],
    ['```Ink', '<pre>Ink</pre>'],
    ['a **bold** word', '<p>a <strong>bold</strong> word</p>'],
    ['an *odd* `word`', '<p>an <em>odd</em> <code>word</code></p>'],
    ['### Ink', '<p>### Ink</p>'],
  ])('signs become what they mean: %s', async (typed, expected) => {
    await text.open('')
    await text.page.keyboard.type(typed)
    expect(await text.saved()).toBe(expected)
  })

  test('signs of tools that the field does not have stay signs', async () => {
    await text.open('', ['undo'])
    await text.page.keyboard.type('- **a**')
    expect(await text.saved([])).toBe('<p>- **a**</p>')
  })

  test('Enter and Tab in a list; Tab leaves the text where it does nothing there', async () => {
    await text.open('<ul><li>a</li></ul>')
    await text.page.keyboard.press('Enter')
    await text.page.keyboard.type('b')
    await text.page.keyboard.press('Tab')
    expect(await text.saved()).toBe('<ul><li>a<ul><li>b</li></ul></li></ul>')
    await text.page.keyboard.press('Shift+Tab')
    expect(await text.saved()).toBe('<ul><li>a</li><li>b</li></ul>')
    await text.page.keyboard.press('Tab')
    await text.page.keyboard.press('Tab')
    expect(await text.page.evaluate(() => document.activeElement?.textContent)).toBe('After')
  })

  test('the toolbar is one stop of Tab, its tools are reached by arrows, Escape leaves it', async () => {
    await text.open('<p>Ink</p>', ['styles', 'bold', '|', 'unheard', 'link'])
    const focused = () => text.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await text.page.keyboard.press('Escape')
    expect(await focused()).toBe('Style')
    for (const [key, name] of [
      ['ArrowRight', 'Bold'],
      ['ArrowRight', 'Link'],
      ['ArrowRight', 'Style'],
      ['ArrowLeft', 'Link'],
      ['Home', 'Style'],
      ['End', 'Link'],
    ] as const) {
      await text.page.keyboard.press(key)
      expect(await focused()).toBe(name)
    }
    await text.page.keyboard.press('Tab')
    expect(await focused()).toBe('Body')
    await text.page.keyboard.press('Shift+Tab')
    expect(await focused()).toBe('Link')
    await text.page.keyboard.press('Escape')
    expect(await text.page.evaluate(() => testPage.messages)).toEqual(['left'])
  })
})

describe('§4.5 what was there stays as it is where somebody writes', () => {
  test.each([
    ['text outside of blocks', 'Ink', [' slow', 'Enter', 'x'], 'Ink slow<p>x</p>'],
    ['text outside of blocks, before one', '<p>Ink</p>is', ['!'], '<p>Ink</p>is!'],
    [
      'b and its id-bearing link',
      '<p><b><a href="/x" id="y">Ink</a> is</b></p>',
      ['!'],
      '<p><b><a href="/x" id="y">Ink</a> is!</b></p>',
    ],
    [
      'a list that starts at 3',
      '<ol start="3"><li>Ink</li></ol>',
      ['Enter', 'x'],
      '<ol start="3"><li>Ink</li><li>x</li></ol>',
    ],
    ['white space', '<ul>\n  <li>Ink\n  is</li>\n</ul>', ['!'], '<ul>\n  <li>Ink\n  is!</li>\n</ul>'],
    ['a heading, after which comes a paragraph', '<h2>Ink</h2>', ['Enter', 'x'], '<h2>Ink</h2><p>x</p>'],
    ['a line in a paragraph', '<p>Ink</p>', ['Shift+Enter', 'x'], '<p>Ink<br />x</p>'],
    [
      'a table with sections and widths',
      '<table><colgroup><col /></colgroup><tbody><tr><td colwidth="120" rowspan="1">Ink</td></tr></tbody></table>',
      ['!'],
      '<table><colgroup><col /></colgroup><tbody><tr><td colwidth="120" rowspan="1">Ink!</td></tr></tbody></table>',
    ],
    ['what has no form in the editor', '<ul>a<li>b</li></ul><p>Ink</p>', ['!'], '<ul>a<li>b</li></ul><p>Ink!</p>'],
  ])('%s', async (_what, html, keys, expected) => {
    await text.open(html)
    for (const key of keys)
      await (/^(?:Shift\+)?Enter$/.test(key) ? text.page.keyboard.press(key) : text.page.keyboard.type(key))
    expect(await text.saved()).toBe(expected)
  })

  test('what has no form in the editor can be removed, and brought back', async () => {
    const html = '<p>Ink</p><ul>a<li>b</li></ul>'
    await text.open(html)
    await text.page.locator('.q-kept').click()
    await text.page.keyboard.press('Delete')
    expect(await text.saved()).toBe('<p>Ink</p>')
    await text.page.keyboard.press('Control+z')
    expect(await text.saved()).toBe(html)
  })
})

describe('§4.5 what is pasted is made of the tools of the field', () => {
  test.each([
    [
      '<style>p { margin: 0 }</style><p class="MsoNormal" style="margin:0">A <b>bold</b>\n <script>alert(1)</script><i onclick="x">word</i></p>',
      '<p>A <strong>bold</strong> word</p>',
    ],
    [
      '<b style="font-weight:normal" id="docs"><h1>Ink</h1><p><span style="font-weight:700">slow</span></p></b>',
      '<p>Ink</p><p><strong>slow</strong></p>',
    ],
    ['<div>a<div>b</div></div>', '<p>a</p><p>b</p>'],
    ['<a href="javascript:alert(1)">a</a> <a href="/b" onclick="c">b</a>', '<p>a <a href="/b">b</a></p>'],
    ['<table><tr><td>a</td></tr></table>', '<p>a</p>'],
  ])('%s', async (html, expected) => {
    const toolbar = ['bold', 'link']
    await text.open('', toolbar)
    await text.paste('text/html', html)
    const stored = (await text.page.evaluate(() => testPage.changes.at(-1)))?.replace('<em>', '')
    expect(stored?.replace('</em>', '').replaceAll('\n', '')).toBe(expected)
  })

  test('lines of plain text are paragraphs', async () => {
    await text.open('')
    await text.paste('text/plain', 'a <b>\nb\n\nc')
    expect(await text.saved()).toBe('<p>a &lt;b&gt;<br />b</p><p>c</p>')
  })

  test('pictures of other sites are refused, and somebody is told', async () => {
    await text.open('<p>Ink</p>')
    await text.paste('text/html', '<p>a<img src="https://spy.example/a.png">b<img src="/own.png" alt=""></p>')
    expect(await text.saved()).toBe('<p>Inkab<img src="/own.png" alt="" /></p>')
    expect(await text.page.evaluate(() => testPage.messages.join())).toContain('Upload the picture')
  })

  test('pictures are uploaded where the host can; else refused', async () => {
    for (const canUpload of [true, false]) {
      await text.open('<p></p>')
      await text.page.evaluate((can) => testPage.pastePicture(can), canUpload)
      if (canUpload) await expect.poll(() => text.saved()).toContain('<img src="/uploaded.png" alt="" />')
      else expect(await text.page.evaluate(() => testPage.messages)).toHaveLength(1)
    }
  })

  test('what was cut in the text is the same where it is put', async () => {
    const html =
      '<p>One</p><p class="lead" style="text-align:right">Two <a href="/x" id="a" rel="nofollow">link</a></p>'
    await text.open(html)
    await text.page.keyboard.press('Control+a')
    await text.page.keyboard.press('Control+x')
    expect(await text.saved()).toBe('')
    await text.page.keyboard.press('Control+v')
    expect(await text.saved()).toBe(html)
  })
})
