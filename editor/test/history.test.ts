import type { Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../cms/src/app.ts'
import { defineSite, piece, widget } from '../../cms/src/index.ts'
import { site } from '../../example/site.ts'
import { type Desk, describeEditor, expectAccessible, signIn } from './editor.ts'
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

  test('§11 editor 23 a field and a removed block are put back at their place, can be undone, and are saved', async () => {
    const items = [quote('One'), quote('Two'), quote('Three')]
    const id = await make('Put back', { subtitle: 'First', body: { metaType: 'area', items } })
    const { body } = await draftOf(id)
    await change(id, {
      subtitle: 'Second',
      body: { ...body, items: body.items.filter(({ words }: { words: string }) => words !== 'Two') },
    })
    await openHistory(id)
    await openVersion(0)
    const words = async () => (await draftOf(id)).body.items.map((one: { words: string }) => one.words)
    await row(page, 'Quotation').getByRole('button', { name: 'Put back' }).click()
    await expect.poll(words).toEqual(['One', 'Two', 'Three'])
    expect((await draftOf(id)).body.items[1]._id).toBe(body.items[1]._id)
    await row(page, 'Subtitle').getByRole('button', { name: 'Put back' }).click()
    await expect.poll(async () => (await draftOf(id)).subtitle).toBe('First')
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
    await expect.poll(async () => (await draftOf(id)).subtitle).toBe('Second')
    expect(await words()).toEqual(['One', 'Two', 'Three'])
  })

  test('§11 editor 23 two are compared, and the whole is restored after what is pending was saved', async () => {
    const id = await make('Whole', { subtitle: 'First' })
    await change(id, { subtitle: 'Second' })
    await change(id, { subtitle: 'Third', note: 'Kept apart' })
    await openHistory(id)
    await openVersion(0)
    await panel().getByRole('combobox', { name: 'Compare with' }).selectOption({ index: 2 })
    await expect.poll(() => row(page, 'Subtitle').locator('del').textContent()).toContain('First')
    await openVersion(2)
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Whole and pending')
    await panel().getByRole('button', { name: 'Restore this version…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restore this version' })
    await dialog.getByText('and pending').waitFor()
    expect(await dialog.locator('.q-change').count()).toBeGreaterThanOrEqual(2)
    await expectFits(page, 'restore')
    await page.setViewportSize({ width: 1280, height: 900 })
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect.poll(async () => draftOf(id)).toMatchObject({ title: 'Whole', subtitle: 'First' })
    await expect.poll(() => page.getByRole('textbox', { name: 'Title', exact: true }).inputValue()).toBe('Whole')
    await versions().first().getByText('Restored').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('status').getByText(saved).waitFor()
    expect(await draftOf(id)).toMatchObject({ title: 'Whole', subtitle: 'First' })
    const { body: list } = await service.editor.get('@cms/document-versions', `docId=${id}`)
    expect(list.results[0]).toMatchObject({ author: 'The editor', restoredFrom: expect.any(String) })
    expect(list.results.map(({ author }: { author: string }) => author)).toContain('The editor')
  })

  test('§11 editor 23 two people who put the same field back agree; who put different values back decide', async () => {
    const id = await make('Both', { subtitle: 'First' })
    await change(id, { subtitle: 'Second' })
    await change(id, { subtitle: 'Third' })
    const other = await desk('admin')
    await openHistory(id)
    await openHistory(id, other)
    for (const one of [page, other.page]) await openVersion(0, one)
    const putBack = (of: Page) => row(of, 'Subtitle').getByRole('button', { name: 'Put back' }).click()
    await Promise.all([putBack(page), putBack(other.page)])
    await expect.poll(async () => (await draftOf(id)).subtitle).toBe('Second')
    for (const one of [page, other.page]) await one.getByRole('status').getByText(saved).waitFor()
    expect(await page.getByRole('button', { name: 'Use mine' }).count()).toBe(0)
  })

  test('§11 editor 23 two people who put different values of a field back see both', async () => {
    const id = await make('Apart', { subtitle: 'First' })
    await change(id, { subtitle: 'Second' })
    await change(id, { subtitle: 'Third' })
    const other = await desk('admin')
    await openHistory(id)
    await openHistory(id, other)
    await openVersion(0)
    await openVersion(1, other.page)
    await row(page, 'Subtitle').getByRole('button', { name: 'Put back' }).click()
    await expect.poll(async () => (await draftOf(id)).subtitle).toBe('Second')
    await row(other.page, 'Subtitle').getByRole('button', { name: 'Put back' }).click()
    await other.page.getByRole('button', { name: 'Use theirs' }).click()
    await other.page.getByRole('status').getByText(saved).waitFor()
    expect(await other.page.getByRole('textbox', { name: 'Subtitle' }).inputValue()).toBe('Second')
    expect((await draftOf(id)).subtitle).toBe('Second')
  })

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
    expect(await field.locator('del').textContent()).toContain('published')
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
    expect(await inList.getByText('AI', { exact: false }).count()).toBe(1)
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
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(['Many by AI'])
    await expectAccessible(page, 'many by AI')
    expect((await service.anonymous.get(`article/${body.aposDocId}`)).status).toBe(404)
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('2 documents are done.').first().waitFor()
    expect((await service.anonymous.get(`article/${body.aposDocId}`)).status).toBe(200)
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
    expect(await rows.count()).toBe(10)
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

  test('§11 editor 23 of a thousand versions the first ten come in one request, older ones on demand', async () => {
    const id = await make('Long')
    const { app } = service
    await app.store.transaction(async (tx) => {
      const made = Array.from({ length: 1000 }, (_, n) => ({
        version: {
          id: `v${String(n).padStart(25, '0')}`,
          docId: id,
          locale: 'en',
          mode: 'draft' as const,
          type: 'article',
          createdAt: new Date(Date.UTC(2020, 0, 1) + n * 60_000).toISOString(),
          updatedAt: null,
          author: 'Somebody',
          authorId: 'somebody',
          ai: false,
          restoredFrom: null,
          label: null,
          data: null,
        },
        content: { title: `Long ${n}` },
        attachments: [],
      }))
      await tx.versions.addMany(made)
    })
    const sent: string[] = []
    const listen = (request: { url(): string }) => {
      if (request.url().includes('document-versions')) sent.push(request.url())
    }
    page.on('request', listen)
    await openHistory(id)
    expect(await versions().count()).toBe(10)
    expect(sent).toHaveLength(1)
    await panel().getByRole('button', { name: 'Show older versions' }).click()
    await expect.poll(() => versions().count()).toBe(20)
    expect(sent).toHaveLength(2)
    page.off('request', listen)
  })
})

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
    expect(await dialog.locator('dd').allInnerTexts()).toEqual([
      'Slowly',
      'as large as a hand',
      'Something that cannot be shown',
    ])
    await expectAccessible(page, 'not restored')
  })
})
