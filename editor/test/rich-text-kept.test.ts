import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { site } from '../../example/site.ts'
import { type Desk, describeEditor } from './editor.ts'

describeEditor('editor: texts and what is public of them', { site }, ({ service, desk }) => {
  let editor: Desk
  let page: Page
  let about: string
  beforeAll(async () => {
    editor = await desk('editor')
    page = editor.page
    await madePage('articles-page', 'Stories')
    await madePage('text-page', 'Press')
    about = await madePage('text-page', 'About ink')
  })
  const madePage = async (type: string, title: string): Promise<string> => {
    const body = { type, title, _targetId: '_home', _position: 'lastChild' }
    return (await service.editor.post('@cms/page', body)).body.aposDocId
  }
  const article = async (title: string, content: string) => {
    const body = { items: [{ type: '@cms/rich-text', content }] }
    const answer = await service.editor.post('article', { title, body })
    const { aposDocId: id } = answer.body
    await editor.open(`/content/article/${id}`)
    await words().click()
    await page.getByRole('toolbar', { name: 'Text' }).waitFor()
    const at = async (mode: string) =>
      (await service.editor.get(`article/${id}`, `aposMode=${mode}`)).body.body.items[0].content
    return { id, draft: () => at('draft'), url: answer.body._url }
  }
  const words = () => page.getByRole('group', { name: 'Rich text 1' }).getByRole('textbox')
  const tool = (name: string) => page.getByRole('toolbar', { name: 'Text' }).getByRole('button', { name, exact: true })
  const publish = async () => {
    await page.getByRole('region', { name: 'Publishing' }).getByRole('button', { name: 'Publish' }).click()
    await page
      .getByText(/” is published\.$/)
      .first()
      .waitFor()
  }
  const shown = async (address: string) => (await fetch(`${service.address}${address}`)).text()

  test('§11 editor 17 each tool of the example is used, saved and public; HTML that the tools do not know stays', async () => {
    const unknown = '<p><b>Old</b> <i>ink</i> <a href="/press" id="seen" rel="nofollow">stays</a></p>'
    const { draft, url } = await article('Tools', `${unknown}<p>One</p>`)
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' slow ')
    await tool('Bold').click()
    await page.keyboard.type('black')
    await tool('Bold').click()
    await tool('Italic').click()
    await page.keyboard.type('ink')
    await tool('Italic').click()
    await tool('Link').click()
    await page.getByRole('textbox', { name: 'Address' }).fill('galls.example')
    await page.getByRole('button', { name: 'Apply' }).click()
    const link = '<a href="https://galls.example">galls.example</a>'
    const text = `${unknown}<p>One slow <strong>black</strong><em>ink</em>${link}</p>`
    await expect.poll(draft, { timeout: 15_000 }).toBe(text)
    await publish()
    expect(await shown(url)).toContain(text)
  })

  test('§11 editor 18 a link to a page that was found by words leads there after the page has moved', async () => {
    const { draft, url } = await article('Links', '<p>See </p>')
    await page.keyboard.press('Control+End')
    await tool('Link').click()
    await page.getByRole('searchbox', { name: 'Find a document' }).pressSequentially('about i')
    await page.getByRole('button', { name: /^About ink/ }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(draft, { timeout: 15_000 }).toContain(about)
    await publish()
    expect(await shown(url)).toContain('href="/about-ink"')
    await editor.open('/pages')
    await page.getByRole('row', { name: /Home/ }).press('ArrowRight')
    await page.getByRole('button', { name: 'More actions: About ink' }).click()
    await page.getByRole('menuitem', { name: 'Move to…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move About ink' })
    await dialog.getByRole('radio', { name: 'Press' }).check()
    await dialog.getByText('It will be at /press/about-ink.', { exact: false }).waitFor()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await expect.poll(() => shown(url)).toContain('href="/press/about-ink"')
    const visitor = await editor.context.newPage()
    await visitor.goto(url)
    await visitor.getByRole('main').getByRole('link', { name: 'About ink' }).click()
    await visitor.getByRole('heading', { level: 1, name: 'About ink' }).waitFor()
    await visitor.goto('/about-ink')
    await visitor.getByRole('heading', { level: 1, name: 'About ink' }).waitFor()
    expect(new URL(visitor.url()).pathname).toBe('/press/about-ink')
    await visitor.close()
  })
})
