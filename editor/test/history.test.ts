import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { site } from '../../example/site.ts'
import { type Desk, describeEditor } from './editor.ts'
import { expectFits } from './looks.ts'

const saved = /^Saved \d/

describeEditor('editor: history', { site }, ({ service, desk }) => {
  let editor: Desk
  let page: Page
  beforeAll(async () => {
    editor = await desk('editor')
    page = editor.page
  })
  const text = (content: string) => ({ metaType: 'widget', type: '@cms/rich-text', content })
  const quote = (words: string) => ({ metaType: 'widget', type: 'quote', words })
  const make = async (title: string, more: object = {}, query = ''): Promise<string> =>
    (await service.editor.post('article', { title, section: 'essay', ...more }, query)).body.aposDocId
  const change = async (id: string, fields: object) => {
    const answer = await service.editor.patch(`article/${id}`, fields, 'aposMode=draft')
    expect(answer.status).toBe(200)
    return answer.body
  }
  const draftOf = async (id: string) => (await service.editor.get(`article/${id}`, 'aposMode=draft')).body
  const panel = (of = page) => of.getByRole('complementary', { name: 'History' })
  const versions = (of = page) => panel(of).getByRole('list', { name: 'Versions' }).locator(':scope > li')
  const openHistory = async (id: string, of = editor) => {
    await of.open(`/content/article/${id}?side=history`)
    await versions(of.page).first().waitFor()
  }
  const openVersion = async (index: number, of = page) => {
    await versions(of).nth(index).getByRole('button').first().click()
  }
  const row = (of: Page, label: string | RegExp) => panel(of).locator('.q-change').filter({ hasText: label })

  test('§11 editor 23 the panel is part of the address; a version opens to its changes', async () => {
    const id = await make('Ink', { subtitle: 'Blue', body: { metaType: 'area', items: [text('<p>Ink is slow.</p>')] } })
    const { body } = await draftOf(id)
    await change(id, { subtitle: 'Black', [`body.@${body.items[0]._id}.content`]: '<p>Ink is <b>very</b> slow.</p>' })
    await editor.open(`/content/article/${id}`)
    await page.getByRole('button', { name: 'History', exact: true }).click()
    await versions().first().waitFor()
    expect(new URL(page.url()).searchParams.get('side')).toBe('history')
    await page.reload()
    await versions().first().waitFor()
    expect(await versions().count()).toBe(2)
    await openVersion(0)
    await row(page, 'Subtitle').waitFor()
    expect(await row(page, 'Subtitle').locator('del').innerText()).toContain('Blue')
    expect(await row(page, 'Subtitle').locator('ins').innerText()).toContain('Black')
    const words = row(page, 'Body')
    expect(await words.locator('ins').textContent()).toBe('added: very ')
    await expectFits(page, 'history')
    await page.setViewportSize({ width: 1280, height: 900 })
    await panel().getByRole('button', { name: 'Hide the history' }).click()
    expect(new URL(page.url()).search).toBe('')
  })
})
