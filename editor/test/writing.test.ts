import { expect, test } from 'vitest'
import { site } from '../../example/site.ts'
import { describeEditor, expectAccessible } from './editor.ts'

describeEditor('editor: writing', { site }, ({ service, desk }) => {
  test('§11 editor 6 a new article from nothing to public', async () => {
    const { page, open } = await desk('editor')
    await open('/content/article')
    await page.getByRole('link', { name: 'New Article' }).click()
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Paper boats')
    await page
      .getByRole('status')
      .getByText(/^Saved/)
      .waitFor()
    const { body: drafts } = await service.editor.get('article', 'aposMode=draft&slug=paper-boats')
    expect(drafts.results).toMatchObject([{ title: 'Paper boats', lastPublishedAt: null }])
    const id = drafts.results[0].aposDocId
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/content/article/${id}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('They do not last')
    await page.getByRole('combobox', { name: 'Section' }).selectOption('Essay')
    await expectAccessible(page, 'A document')
    const region = page.getByRole('region', { name: 'Publishing' })
    await region.getByRole('button', { name: 'Publish' }).click()
    await page
      .getByText(/” is published\.$/)
      .first()
      .waitFor()
    const { body: live } = await service.anonymous.get(`article/${id}`)
    expect(live).toMatchObject({ title: 'Paper boats', subtitle: 'They do not last', section: 'essay' })
    await region.getByText('Published', { exact: false }).first().waitFor()
  })

  test('§11 editor 5.2 what is typed is saved to the draft by itself, and public only when it is published', async () => {
    const { page, open } = await desk('editor')
    const { body: made } = await service.editor.post('article', { title: 'Slow ink', section: 'essay' })
    await open(`/content/article/${made.aposDocId}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Wait for it')
    await page
      .getByRole('status')
      .getByText(/^Saved \d/)
      .waitFor()
    const { body: draft } = await service.editor.get(`article/${made.aposDocId}`, 'aposMode=draft')
    expect(draft.subtitle).toBe('Wait for it')
    expect((await service.anonymous.get(`article/${made.aposDocId}`)).body.subtitle).toBe('')
    const region = page.getByRole('region', { name: 'Publishing' })
    await region.getByText('1 change').waitFor()
    await region.getByRole('button', { name: 'See changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Changes' })
    await dialog.getByText('Subtitle').waitFor()
    await dialog.getByText('Wait for it').waitFor()
    await expectAccessible(page, 'Changes')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await region.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Throw changes away' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Subtitle' }).inputValue()).toBe('')
  })

  test('§11 editor 7 a draft may lack what is required; publishing leads there', async () => {
    const { page, open } = await desk('editor')
    await open('/content/article/new')
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Without a title')
    await page
      .getByRole('status')
      .getByText(/^Saved \d/)
      .waitFor()
    const region = page.getByRole('region', { name: 'Publishing' })
    await region.getByRole('button', { name: 'Publish' }).click()
    await page
      .getByText(/keeps? it from being published/)
      .first()
      .waitFor()
    await expect
      .poll(() =>
        page
          .getByRole('textbox', { name: 'Title', exact: false })
          .first()
          .evaluate((one) => one === document.activeElement),
      )
      .toBe(true)
  })

  test('§11 editor 8 what two editors change in different fields is merged', async () => {
    const { body: made } = await service.editor.post('article', { title: 'Two hands', section: 'essay' })
    const [one, two] = [await desk('editor'), await desk('admin')]
    await one.open(`/content/article/${made.aposDocId}`)
    await two.open(`/content/article/${made.aposDocId}`)
    await two.page.getByRole('textbox', { name: 'Subtitle' }).fill('By the second')
    await two.page
      .getByRole('status')
      .getByText(/^Saved \d/)
      .waitFor()
    await one.page.getByRole('textbox', { name: 'Title', exact: true }).fill('Two hands, one page')
    await one.page
      .getByRole('status')
      .getByText(/^Saved \d/)
      .waitFor()
    await expect.poll(() => one.page.getByRole('textbox', { name: 'Subtitle' }).inputValue()).toBe('By the second')
    const { body: draft } = await service.editor.get(`article/${made.aposDocId}`, 'aposMode=draft')
    expect(draft).toMatchObject({ title: 'Two hands, one page', subtitle: 'By the second' })
  })

  test('§11 editor 9 of a field that both changed, both sides are shown, and wait', async () => {
    const { body: made } = await service.editor.post('article', { title: 'Same field', section: 'essay' })
    const [one, two] = [await desk('editor'), await desk('admin')]
    await one.open(`/content/article/${made.aposDocId}`)
    await two.open(`/content/article/${made.aposDocId}`)
    await two.page.getByRole('textbox', { name: 'Subtitle' }).fill('Theirs')
    await two.page
      .getByRole('status')
      .getByText(/^Saved \d/)
      .waitFor()
    await one.page.getByRole('textbox', { name: 'Subtitle' }).fill('Mine')
    await one.page.getByRole('button', { name: 'Use theirs' }).waitFor()
    await expectAccessible(one.page, 'A conflict')
    await one.page.getByRole('button', { name: 'Use mine' }).click()
    await one.page
      .getByRole('status')
      .getByText(/^Saved \d/)
      .waitFor()
    const { body: draft } = await service.editor.get(`article/${made.aposDocId}`, 'aposMode=draft')
    expect(draft.subtitle).toBe('Mine')
  })
})
