import { beforeAll, expect, test } from 'vitest'
import { jpeg, upload } from '../../cms/test/media.ts'
import { site } from '../../example/site.ts'
import { focused, tabTo } from './by-keyboard.ts'
import { describeEditor } from './editor.ts'

describeEditor('editor: by the keyboard alone', { site }, ({ service, desk }) => {
  beforeAll(async () => {
    const { body } = await upload(service, 'editor', await jpeg(), 'boats.jpg')
    await service.editor.post('@cms/image', { title: 'Boats', alt: 'Boats of paper', attachment: body })
  })

  test('§11 editor 6 a new article from nothing to public, with a text and a picture', async () => {
    const { page } = await desk('editor')
    const { keyboard } = page
    const press = async (...keys: string[]) => {
      for (const key of keys) await keyboard.press(key)
    }
    await tabTo(page, 'link "Articles"')
    await press('Enter')
    await page.locator('h1:focus', { hasText: 'Articles' }).waitFor()
    await tabTo(page, 'link "New Article"')
    await press('Enter')
    await page.locator('h1:focus', { hasText: 'New Article' }).waitFor()
    await tabTo(page, 'textbox "Title"')
    await keyboard.type('Paper boats')
    const toSubtitle = await tabTo(page, 'textbox "Subtitle"')
    expect(toSubtitle).toEqual(['textbox "Slug"', 'button "Make it from the title"', 'textbox "Subtitle"'])
    await keyboard.type('They do not last')
    await tabTo(page, 'combobox "Section"')
    await keyboard.type('Ess')
    await tabTo(page, 'button "Add block to Body"')
    await press('Enter')
    await page.getByRole('listbox', { name: 'Blocks for Body' }).waitFor()
    expect(await focused(page)).toBe('listbox "Blocks for Body"')
    await press('Enter')
    await page.getByRole('toolbar', { name: 'Text' }).waitFor()
    await keyboard.type('Fold a sheet twice.')
    expect(await tabTo(page, 'button "Browse"')).toEqual([
      'button "Add block to Body"',
      'combobox "Add to Picture"',
      'button "Browse"',
    ])
    await press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Choose Picture' })
    await dialog.getByRole('checkbox', { name: 'Select Boats' }).waitFor()
    await tabTo(page, 'checkbox "Select Boats"')
    await press('Space')
    await tabTo(page, 'button "Done"')
    await press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('button "Browse"')
    await tabTo(page, 'button "Publish"')
    await press('Enter')
    await page
      .getByText(/” is published\.$/)
      .first()
      .waitFor()
    const { body } = await service.anonymous.get('article', 'slug=paper-boats')
    expect(body.results).toMatchObject([
      {
        title: 'Paper boats',
        subtitle: 'They do not last',
        section: 'essay',
        body: { items: [{ type: '@cms/rich-text', content: '<p>Fold a sheet twice.</p>' }] },
        _image: [{ title: 'Boats', alt: 'Boats of paper' }],
      },
    ])
  })
})
