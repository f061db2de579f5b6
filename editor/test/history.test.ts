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
    await expect.poll(() => versions().count()).toBe(2)
    await openVersion(0)
    await row(page, 'Subtitle').waitFor()
    await expect.poll(() => row(page, 'Subtitle').locator('del').innerText()).toContain('Blue')
    await expect.poll(() => row(page, 'Subtitle').locator('ins').innerText()).toContain('Black')
    const words = row(page, 'Body')
    await expect.poll(() => words.locator('ins').textContent()).toBe('added: very ')
    await expectFits(page, 'history')
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    await expectFits(page, 'history, right to left')
    await page.evaluate(() => {
      document.documentElement.dir = 'ltr'
    })
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
    await expect.poll(() => dialog.locator('.q-change').count()).toBeGreaterThanOrEqual(2)
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
    await expect.poll(() => other.page.getByRole('textbox', { name: 'Subtitle' }).inputValue()).toBe('Second')
    expect((await draftOf(id)).subtitle).toBe('Second')
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
    await expect.poll(() => versions().count()).toBe(10)
    expect(sent).toHaveLength(1)
    await panel().getByRole('button', { name: 'Show older versions' }).click()
    await expect.poll(() => versions().count()).toBe(20)
    expect(sent).toHaveLength(2)
    page.off('request', listen)
  })
})
