import { expect, test } from 'vitest'
import { site } from '../../example/site.ts'
import { describeEditor } from './editor.ts'

describeEditor('editor: several hands', { site }, ({ service, desk }) => {
  const saved = /^Saved \d/
  const withQuote = async (title: string): Promise<{ id: string; quote: string }> => {
    const quote = { metaType: 'widget', type: 'quote', words: 'Wait.' }
    const { body } = await service.editor.post('article', {
      title,
      section: 'essay',
      body: { metaType: 'area', items: [quote] },
    })
    return { id: body.aposDocId, quote: body.body.items[0]._id }
  }
  const draftOf = async (id: string) => (await service.editor.get(`article/${id}`, 'aposMode=draft')).body

  test('§11 editor 10 a block that one removed and another changed is shown, and stays until somebody decides', async () => {
    const { id } = await withQuote('Removed and changed')
    const [one, two] = [await desk('editor'), await desk('admin')]
    await one.open(`/content/article/${id}`)
    await two.open(`/content/article/${id}`)
    await two.page
      .getByRole('group', { name: 'Quotation 1' })
      .getByRole('button', { name: 'Remove', exact: true })
      .click()
    await expect.poll(async () => (await draftOf(id)).body.items).toEqual([])
    await one.page
      .getByRole('group', { name: 'Quotation 1' })
      .getByRole('textbox', { name: 'Words' })
      .fill('Wait, still.')
    await one.page.getByRole('button', { name: 'Use mine' }).click()
    await expect.poll(async () => (await draftOf(id)).body.items).toMatchObject([{ words: 'Wait, still.' }])
  })

  test('§11 editor 11 two tabs with one document follow each other', async () => {
    const { id } = await withQuote('Two tabs')
    const { page, context, open } = await desk('editor')
    await open(`/content/article/${id}`)
    const other = await context.newPage()
    await other.goto(`/admin/content/article/${id}`)
    await other.getByRole('textbox', { name: 'Subtitle' }).fill('In the other tab')
    await other.getByRole('status').getByText(saved).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Subtitle' }).inputValue()).toBe('In the other tab')
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Two tabs, one text')
    await page.getByRole('status').getByText(saved).waitFor()
    await expect
      .poll(() => other.getByRole('textbox', { name: 'Title', exact: true }).inputValue())
      .toBe('Two tabs, one text')
    expect(await draftOf(id)).toMatchObject({ title: 'Two tabs, one text', subtitle: 'In the other tab' })
  })

  test('§11 editor 12 undo and redo go across fields, blocks and saves', async () => {
    const { id } = await withQuote('Undone')
    const { page, open } = await desk('editor')
    await open(`/content/article/${id}`)
    const subtitle = page.getByRole('textbox', { name: 'Subtitle' })
    await subtitle.fill('First')
    await page.getByRole('status').getByText(saved).waitFor()
    await page.getByRole('group', { name: 'Quotation 1' }).getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(async () => (await draftOf(id)).body.items).toEqual([])
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
    await page.getByRole('group', { name: 'Quotation 1' }).waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
    expect(await subtitle.inputValue()).toBe('')
    await page.getByRole('button', { name: 'Redo', exact: true }).click()
    await expect.poll(() => subtitle.inputValue()).toBe('First')
    await expect.poll(async () => (await draftOf(id)).body.items).toMatchObject([{ words: 'Wait.' }])
  })

  test('§11 editor 33 a contributor writes a draft, and reads that editors publish', async () => {
    const { page, open } = await desk('contributor')
    await open('/content/article/new')
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('By a contributor')
    await page.getByRole('status').getByText(saved).waitFor()
    const publish = page.getByRole('region', { name: 'Publishing' }).getByRole('button', { name: 'Publish' })
    await expect.poll(() => publish.getAttribute('aria-disabled')).toBe('true')
    const reason = await publish.evaluate(
      (one) => document.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent,
    )
    expect(reason).toBe('Editors publish. Your draft is saved for them.')
    await publish.click({ force: true })
    const { body } = await service.editor.get('article', 'aposMode=draft&slug=by-a-contributor')
    expect(body.results).toMatchObject([{ lastPublishedAt: null }])
  })

  test('§11 editor 22 the list of changes is what the public sees change', async () => {
    const { id } = await withQuote('Seen changes')
    const { page, open } = await desk('editor')
    await open(`/content/article/${id}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('New words')
    await page.getByRole('group', { name: 'Quotation 1' }).getByRole('textbox', { name: 'Words' }).fill('Do not wait.')
    await page.getByRole('status').getByText(saved).waitFor()
    const region = page.getByRole('region', { name: 'Publishing' })
    await region.getByText('2 changes').waitFor()
    await region.getByRole('button', { name: 'See changes' }).click()
    const rows = page.getByRole('dialog', { name: 'Changes' }).getByRole('listitem')
    await rows.first().waitFor()
    await expect.poll(() => rows.count()).toBe(2)
    await page.keyboard.press('Escape')
    await region.getByRole('button', { name: 'Publish' }).click()
    await expect
      .poll(async () => (await service.anonymous.get(`article/${id}`)).body)
      .toMatchObject({
        subtitle: 'New words',
        body: { items: [{ words: 'Do not wait.' }] },
      })
  })
})
