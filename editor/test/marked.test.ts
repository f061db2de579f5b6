import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { site } from '../../example/site.ts'
import { type Desk, describeEditor, expectAccessible } from './editor.ts'
import { expectFits } from './looks.ts'

const saved = /^Saved \d/

describeEditor('editor: marks and names', { site }, ({ service, desk }) => {
  let editor: Desk
  let page: Page
  beforeAll(async () => {
    editor = await desk('editor')
    page = editor.page
  })
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

  test('§11 editor 6 fields that differ from what is published say so, show what was, and can be taken back alone', async () => {
    const items = [quote('Stays'), quote('Goes')]
    const id = await make('Marks', { subtitle: 'As published', body: { metaType: 'area', items } })
    const { body } = await draftOf(id)
    await change(id, { subtitle: 'As drafted', body: { ...body, items: body.items.slice(0, 1) } })
    const sent: string[] = []
    const listen = (request: { url(): string }) => {
      if (/\/changes|check/.test(request.url())) sent.push(request.url())
    }
    page.on('request', listen)
    await editor.open(`/content/article/${id}`)
    const field = page.locator('[data-path="subtitle"]')
    await field.getByText('◐ Changed').waitFor()
    expect(sent).toHaveLength(1)
    await field.getByRole('button', { name: 'What was published' }).click()
    await expect.poll(() => field.locator('del').textContent()).toContain('published')
    await expectFits(page, 'marks')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('textbox', { name: 'Title', exact: true }).pressSequentially('ing')
    expect(sent).toHaveLength(1)
    await page.getByRole('status').getByText(saved).waitFor()
    await page.locator('[data-path="title"]').getByText('◐ Changed').waitFor()
    expect(sent).toHaveLength(2)
    page.off('request', listen)
    await field.getByRole('button', { name: 'Undo here' }).click()
    await expect.poll(async () => (await draftOf(id)).subtitle).toBe('As published')
    await field.getByText('◐ Changed').waitFor({ state: 'detached' })
    await page.locator('[data-path="body"]').getByRole('button', { name: 'Undo here' }).last().click()
    await expect.poll(async () => (await draftOf(id)).body.items).toMatchObject([{ words: 'Stays' }, { words: 'Goes' }])
  })

  test('§11 editor 24 what AI wrote is shown as such, and once a person has edited it as that', async () => {
    const written = { title: 'By AI', section: 'essay', subtitle: 'Nobody read this' }
    const { body } = await service.ai.post('article', written, 'aposMode=draft')
    const id = body.aposDocId
    await editor.open('/content/article?search=By+AI')
    const inList = page.getByRole('row', { name: /By AI/ })
    await inList.getByText('Written with AI').waitFor()
    await expectFits(page, 'list with AI')
    await page.setViewportSize({ width: 1280, height: 900 })
    await openHistory(id)
    await versions().first().getByText('Written with AI').waitFor()
    const field = page.locator('[data-path="subtitle"]')
    await field.getByText('✦ Written with AI').waitFor()
    const region = page.getByRole('region', { name: 'Publishing' })
    await region.getByRole('button', { name: 'See changes' }).click()
    const list = page.getByRole('dialog', { name: 'Changes' })
    await list.locator('.q-change').filter({ hasText: 'Subtitle' }).getByText('Written with AI').waitFor()
    await page.keyboard.press('Escape')
    await region.getByRole('button', { name: 'Publish', exact: true }).click()
    const asked = page.getByRole('dialog', { name: 'Publish what AI has written?' })
    await asked.getByText(/\d changes were written by AI and not touched since\./).waitFor()
    await asked.getByRole('button', { name: 'Read them' }).click()
    await asked.getByText('Nobody read this').waitFor()
    await expectFits(page, 'published with AI')
    await page.setViewportSize({ width: 1280, height: 900 })
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Somebody read this')
    await field.getByText('✧ AI, then edited by a person').waitFor()
    await region.getByRole('button', { name: 'Publish', exact: true }).click()
    await asked.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect.poll(async () => (await service.anonymous.get(`article/${id}`)).status).toBe(200)
    await editor.open('/content/article?search=By+AI')
    await inList.waitFor()
    await expect.poll(() => inList.getByText('AI', { exact: false }).count()).toBe(1)
  })

  test('§11 editor 24 publishing many from a list says first which of them nobody touched since AI wrote them', async () => {
    const { body } = await service.ai.post('article', { title: 'Many by AI', section: 'essay' }, 'aposMode=draft')
    await make('Many by hand', {}, 'aposMode=draft')
    await editor.open('/content/article?search=Many+by')
    await page.getByRole('checkbox', { name: 'Select Many by AI' }).check()
    await page.getByRole('checkbox', { name: 'Select Many by hand' }).check()
    await page.getByRole('group', { name: '2 selected' }).getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish what AI has written?' })
    await dialog.getByText('1 of these documents was written by AI, and nobody has touched it since.').waitFor()
    await expect.poll(() => dialog.getByRole('listitem').allInnerTexts()).toEqual(['Many by AI'])
    await expectAccessible(page, 'many by AI')
    expect((await service.anonymous.get(`article/${body.aposDocId}`)).status).toBe(404)
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('2 documents are done.').first().waitFor()
    expect((await service.anonymous.get(`article/${body.aposDocId}`)).status).toBe(200)
  })

  test('§11 editor 24 pages that AI wrote are marked in the tree and among those that are found', async () => {
    const values = { type: 'text-page', title: 'A page by AI', _targetId: '_home', _position: 'firstChild' }
    const { status, body } = await service.ai.post('@cms/page', values, 'aposMode=draft')
    expect(status).toBe(200)
    await editor.open('/pages')
    const inTree = page.getByRole('treegrid', { name: 'Pages' }).getByRole('row', { name: /A page by AI/ })
    await inTree.getByText('Written with AI').waitFor()
    await expect.poll(() => page.getByRole('treegrid').getByText('Written with AI').count()).toBe(1)
    await expectFits(page, 'tree with AI')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('searchbox').fill('A page by')
    await page.getByRole('list', { name: 'Pages found' }).getByText('Written with AI').waitFor()
    const saved = await service.editor.patch(
      `@cms/page/${body.aposDocId}`,
      { title: 'A page by AI and us' },
      'aposMode=draft',
    )
    expect(saved.status).toBe(200)
    await editor.open('/pages')
    await inTree.getByText('AI, then edited by a person').waitFor()
  })

  test('§11 editor 3.8 Ctrl Shift S saves with a name, by which the history finds it', async () => {
    const id = await make('Named')
    await editor.open(`/content/article/${id}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Worth a name')
    await page.keyboard.press('Control+Shift+S')
    const dialog = page.getByRole('dialog', { name: 'Name this version' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('As printed')
    await expectFits(page, 'name')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const { body } = await service.editor.get('@cms/document-versions', `docId=${id}`)
    expect(body.results[0]).toMatchObject({ label: 'As printed', author: 'The editor' })
    expect((await draftOf(id)).subtitle).toBe('Worth a name')
    await openHistory(id)
    await panel().getByRole('combobox', { name: 'Show' }).selectOption('With a name')
    await expect.poll(() => versions().count()).toBe(1)
    await versions().first().getByText('“As printed”').waitFor()
    await openVersion(0)
    await panel().getByRole('button', { name: 'Name this version…' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await panel().getByText('No version matches.').waitFor()
  })

  test('§11 editor 12 Activity lists what was changed lately, by person, type and AI, and opens to it', async () => {
    const id = await make('Active', { subtitle: 'Before' })
    await service.ai.patch(`article/${id}`, { subtitle: 'After' }, 'aposMode=draft')
    await service.editor.post('topic', { title: 'Another type' })
    await editor.open('')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' }).click()
    const rows = page.getByRole('list', { name: 'Activity' }).locator(':scope > li')
    await rows.first().getByRole('link', { name: 'Another type' }).waitFor()
    await expect.poll(() => rows.count()).toBe(10)
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Article')
    await rows.first().getByRole('link', { name: 'Active' }).waitFor()
    await page.getByRole('checkbox', { name: 'Written with AI only' }).check()
    await expect.poll(() => new URL(page.url()).search).toBe('?type=article&ai=1')
    await page.reload()
    await rows.first().getByText('Written with AI').waitFor()
    await rows.first().getByRole('button', { name: 'What changed in “Active”' }).click()
    await rows.first().locator('ins').getByText('After').waitFor()
    await expectFits(page, 'activity')
    await page.setViewportSize({ width: 1280, height: 900 })
    await rows.first().getByRole('link', { name: 'Active' }).click()
    await versions().first().waitFor()
  })
})
