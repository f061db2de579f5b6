import { beforeAll, expect, test } from 'vitest'
import { defineSite } from '../../cms/src/model/compile/site.ts'
import { page, piece } from '../../cms/src/model/declared/content-type.ts'
import { jpeg, upload } from '../../cms/test/media.ts'
import { type Desk, describeEditor } from './editor.ts'
import { held } from './held.ts'
import { expectFits } from './looks.ts'

const site = defineSite({
  name: 'Ink',
  locales: {
    en: { label: 'English' },
    fr: { label: 'Français', prefix: '/fr' },
    ar: { label: 'العربية', prefix: '/ar', direction: 'rtl' },
  },
  types: [
    piece('article', {
      fields: {
        add: {
          subtitle: { type: 'string' },
          _pictures: { type: 'relationship', withType: '@cms/image' },
          links: { type: 'array', fields: { add: { label: { type: 'string' } } } },
          body: { type: 'area', widgets: { '@cms/rich-text': {} } },
        },
      },
    }),
    page('text', {}),
  ],
})

describeEditor('§7 languages side by side', { site }, ({ service, desk }) => {
  let at: Desk
  let id: string
  const draft = async (locale: string) => (await service.editor.get(`article/${id}:${locale}:draft`)).body
  const form = () => at.page.getByRole('region', { name: 'Languages' })

  beforeAll(async () => {
    const items = [{ type: '@cms/rich-text', content: '<p>Ink is slow.</p>' }]
    const body = { title: 'Ink', subtitle: 'Slow and blue', links: [{ label: 'Home' }], body: { items } }
    id = (await service.editor.post('article', body)).body.aposDocId
    at = await desk('editor')
  })

  test('a document is copied to another language, and opens there beside its original', async () => {
    await at.open(`/content/article/${id}?locale=en`)
    await form().getByText('not there').first().waitFor()
    await form().getByRole('button', { name: 'Localize' }).click()
    const dialog = at.page.getByRole('dialog', { name: 'Localize Ink' })
    await expect.poll(() => dialog.getByRole('checkbox', { name: 'Français' }).isChecked()).toBe(true)
    await dialog.getByRole('checkbox', { name: 'العربية' }).uncheck()
    await expectFits(at.page, 'localize')
    await at.page.setViewportSize({ width: 1280, height: 900 })
    await dialog.getByRole('button', { name: 'Localize', exact: true }).click()
    await dialog.getByText('Français: done.').waitFor()
    expect((await draft('fr')).subtitle).toBe('Slow and blue')
    await dialog.getByRole('link', { name: 'Open Français' }).click()
    await at.page.getByRole('region', { name: 'Next to the form: English' }).waitFor()
    await at.page.getByText('Nothing was changed in English since this was saved.').first().waitFor()
  })

  test('what was changed in the original is marked word by word, copied over, and marked as checked', async () => {
    await service.editor.patch(`article/${id}:en:draft`, { subtitle: 'Slow and black' })
    await service.editor.post(`article/${id}:en:draft/publish`, {})
    await at.open(`/content/article/${id}?locale=fr&with=en`)
    await at.page.getByText('1 change in English since this was saved.').waitFor()
    const original = at.page.getByRole('group', { name: 'Subtitle in English' })
    await expect.poll(() => original.locator('ins').innerText()).toContain('black')
    await expect.poll(() => original.locator('del').innerText()).toContain('blue')
    await form().getByText('older than English').waitFor()
    await expectFits(at.page, 'beside')
    await at.page.setViewportSize({ width: 1280, height: 900 })
    await at.page.getByRole('button', { name: 'Mark as checked' }).click()
    await at.page.getByText('Nothing was changed in English since this was saved.').first().waitFor()
    await original.getByRole('button', { name: 'Copy over' }).click()
    await expect.poll(async () => (await draft('fr')).subtitle).toBe('Slow and black')
    await at.page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(async () => (await draft('fr')).subtitle).toBe('Slow and blue')
  })

  test('items and blocks that are only in the original are added at their places', async () => {
    const { links, body } = await draft('en')
    const added = { type: '@cms/rich-text', content: '<p>And patient.</p>' }
    const changed = { body: { ...body, items: [...body.items, added] }, links: [...links, { label: 'About' }] }
    await service.editor.patch(`article/${id}:en:draft`, changed)
    await at.open(`/content/article/${id}?locale=fr&with=en`)
    await at.page.getByRole('button', { name: 'Add here: Rich text: And patient.' }).click()
    await at.page.getByRole('button', { name: 'Add here: Links: About' }).click()
    await expect.poll(async () => (await draft('fr')).links.length).toBe(2)
    const [source, translation] = [await draft('en'), await draft('fr')]
    const ids = (document: typeof source) => document.body.items.map(({ _id }: { _id: string }) => _id)
    expect(ids(translation)).toEqual(ids(source))
    await at.page.getByRole('button', { name: 'End', exact: true }).click()
    await at.page.getByRole('region', { name: 'Next to the form: English' }).waitFor({ state: 'detached' })
  })

  test('25 a document is copied with its pictures, which are drafts there, too', async () => {
    const attachment = (await upload(service, 'editor', await jpeg(), 'town.jpg')).body
    const image = (await service.editor.post('@cms/image', { title: 'Old town', alt: 'A town', attachment })).body
    const made = (await service.editor.post('article', { title: 'Town', _pictures: [image._id] })).body
    await at.open(`/content/article/${made.aposDocId}?locale=en`)
    await form().getByRole('button', { name: 'Localize' }).click()
    const dialog = at.page.getByRole('dialog', { name: 'Localize Town' })
    await dialog.getByRole('checkbox', { name: 'العربية' }).uncheck()
    await expect.poll(() => dialog.getByRole('radio', { name: 'Pictures and files' }).isChecked()).toBe(true)
    await dialog.getByRole('button', { name: 'Localize', exact: true }).click()
    await dialog.getByText('Français: done, with 1 other.').waitFor()
    await dialog.getByRole('link', { name: 'Open Français' }).click()
    await at.page.getByRole('region', { name: 'Next to the form: English' }).waitFor()
    await at.page.locator('[data-path="_pictures"]').getByText('Old town').first().waitFor()
    const there = (await service.editor.get(`@cms/image/${image.aposDocId}:fr:draft`)).body
    expect(there).toMatchObject({ title: 'Old town', alt: 'A town' })
  })

  test('what would be overwritten is shown first', async () => {
    await service.editor.patch(`article/${id}:fr:draft`, { subtitle: 'Lente et bleue' })
    await at.open(`/content/article/${id}?locale=en`)
    await form().getByRole('button', { name: 'Localize' }).click()
    const dialog = at.page.getByRole('dialog', { name: 'Localize Ink' })
    await dialog.getByRole('checkbox', { name: 'العربية' }).uncheck()
    await dialog.getByRole('checkbox', { name: 'Français' }).check()
    await dialog.getByText('Subtitle: Lente et bleue Slow and black').waitFor()
    await service.editor.patch(`article/${id}:fr:draft`, { subtitle: 'Lente et grise' })
    await dialog.getByRole('button', { name: 'Localize', exact: true }).click()
    await dialog.getByText('Français: somebody has changed it meanwhile.').waitFor()
    expect((await draft('fr')).subtitle).toBe('Lente et grise')
    // Nothing is known of the copy when the page is loaded anew.
    await at.open(`/content/article/${id}?locale=en`)
    await form().getByRole('button', { name: 'Localize' }).click()
    await dialog.getByRole('checkbox', { name: 'العربية' }).uncheck()
    const { letGo } = await held(at.page, 'GET', '**/article/*?*aposLocale=fr*')
    await dialog.getByRole('checkbox', { name: 'Français' }).check()
    const button = dialog.getByRole('button', { name: 'Localize', exact: true })
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
    letGo()
    await dialog.getByText('Subtitle: Lente et grise Slow and black').waitFor()
    await button.click()
    await dialog.getByText('Français: done.').waitFor()
    expect((await draft('fr')).subtitle).toBe('Slow and black')
    await at.page.keyboard.press('Escape')
  })

  test('26 a form in Arabic runs from right to left, beside an original that does not', async () => {
    await service.editor.post(`article/${id}:en:draft/localize`, { toLocale: 'ar' })
    await at.open(`/content/article/${id}?locale=ar&with=en`)
    const subtitle = at.page.getByRole('textbox', { name: 'Subtitle' })
    expect(await subtitle.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
    const original = at.page.getByRole('group', { name: 'Subtitle in English' })
    expect(await original.locator('p').evaluate((element) => getComputedStyle(element).direction)).toBe('ltr')
    const slug = at.page.getByRole('textbox', { name: 'Slug' })
    expect(await slug.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr')
    await subtitle.fill('بطيء')
    await expect.poll(async () => (await draft('ar')).subtitle).toBe('بطيء')
    // To the left is on: the caret goes the way of the text.
    await subtitle.press('Home')
    await subtitle.press('ArrowLeft')
    expect(await subtitle.evaluate((element) => (element as HTMLInputElement).selectionStart)).toBe(1)
    await at.page.getByRole('button', { name: 'Home' }).first().press('Alt+ArrowDown')
    await expect
      .poll(async () => (await draft('ar')).links.map(({ label }: { label: string }) => label))
      .toEqual(['About', 'Home'])
    await expectFits(at.page, 'beside, from right to left')
  })
})
