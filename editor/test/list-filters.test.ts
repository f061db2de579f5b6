import type { Page } from 'playwright-core'
import { defineSite, piece } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import { jpeg, upload } from '../../cms/test/media.ts'
import { describeEditor, expectAccessible } from './editor.ts'
import { expectFits } from './looks.ts'

const LISBON = 'Europe/Lisbon'

const site = defineSite({
  name: 'Ink',
  locales: {
    en: { label: 'English' },
    fr: { label: 'French', prefix: '/fr' },
    de: { label: 'German', prefix: '/de' },
  },
  types: [
    piece('news', { label: 'News', pluralLabel: 'News', scheduling: true }),
    piece('note'),
    piece('paper', { fields: { add: { _pictures: { type: 'relationship', withType: '@cms/image' } } } }),
    piece('stamp', { localized: false }),
  ],
})

describeEditor('Filters of lists', { site }, ({ service, desk }) => {
  let page: Page
  let open: (path: string) => Promise<void>
  const done = async (answer: ReturnType<typeof service.editor.post>) => {
    const { status, body } = await answer
    expect(status).toBe(200)
    return body
  }
  const titles = (name: string) => page.getByRole('table', { name }).getByRole('rowheader').allInnerTexts()
  const pictures = () => page.getByRole('list', { name: 'Images' }).getByRole('link').allInnerTexts()
  const count = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()
  const filters = () => page.getByText('Filters', { exact: true }).click()

  beforeAll(async () => {
    const draft = (body: object) => done(service.editor.post('news', body, 'aposMode=draft'))
    await draft({ title: 'Neither' })
    await draft({ title: 'Later', publishAt: '2099-07-02T08:00:00Z' })
    await draft({ title: 'Sooner', publishAt: '2099-07-01T08:00:00Z', archiveAt: '2099-08-01T08:00:00Z' })
    await draft({ title: 'Leaves', archiveAt: '2099-07-20T08:00:00Z' })
    await done(service.editor.post('note', { title: 'English alone' }))
    const french = await done(service.editor.post('note', { title: 'In French' }))
    const old = await done(service.editor.post('note', { title: 'Old in French' }))
    for (const { aposDocId } of [french, old])
      await done(service.editor.post(`note/${aposDocId}/localize`, { toLocale: 'fr' }))
    await done(service.editor.patch(`note/${old.aposDocId}:en:published`, { title: 'Behind' }))
    const image = async (title: string, [width, height]: readonly [number, number], more: object = {}) => {
      const attachment = (await upload(service, 'admin', await jpeg(width, height), `${title}.jpg`)).body
      return done(service.editor.post('@cms/image', { title, attachment, ...more }))
    }
    const wide = await image('Wide', [900, 200], { alt: 'A wide one' })
    await image('High', [300, 800])
    await done(service.editor.post('paper', { title: 'With a picture', _pictures: [{ _id: wide._id }] }))
    const at = await desk('editor', undefined, LISBON)
    page = at.page
    open = at.open
  })

  test('3.9 by what is to be published or archived, sorted by the times, which are shown with their zone', async () => {
    await open('/content/news')
    await count('4 documents')
    await filters()
    await page.getByLabel('Scheduled').selectOption('To be published')
    await count('2 documents')
    await page.getByRole('button', { name: `Publish at (${LISBON})` }).click()
    await expect.poll(() => titles('News')).toEqual(['Sooner', 'Later'])
    await page.getByRole('button', { name: `Publish at (${LISBON})` }).click()
    await expect.poll(() => titles('News')).toEqual(['Later', 'Sooner'])
    await page.getByRole('cell', { name: /1 Jul.* 2099.* 09:00/ }).waitFor()
    await page.getByLabel('Scheduled').selectOption('To be archived')
    await page.getByRole('button', { name: `Archive at (${LISBON})` }).click()
    await expect.poll(() => titles('News')).toEqual(['Leaves', 'Sooner'])
    await page.reload()
    await expect.poll(() => titles('News')).toEqual(['Leaves', 'Sooner'])
    await expectAccessible(page, 'a list with schedules')
    await expectFits(page, 'a list with schedules')
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('4.5 by what another language lacks, or has an older one of', async () => {
    await open('/content/note')
    await count('3 documents')
    await filters()
    await page.getByLabel('Language', { exact: true }).selectOption('Missing in French')
    await expect.poll(() => titles('Notes')).toEqual(['English alone'])
    await page.getByLabel('Language', { exact: true }).selectOption('Behind in French')
    await expect.poll(() => titles('Notes')).toEqual(['Behind'])
    await page.getByLabel('Language', { exact: true }).selectOption('Missing in German')
    await count('3 documents')
    await expect
      .poll(() => page.getByLabel('Language', { exact: true }).getByRole('option').allInnerTexts())
      .toEqual(['Any', 'Missing in French', 'Behind in French', 'Missing in German', 'Behind in German'])
    await open('/content/stamp')
    await page.getByRole('heading', { level: 1, name: 'Stamps' }).waitFor()
    expect(await page.getByText('Filters', { exact: true }).count()).toBe(0)
  })

  test('9 pictures by alternative text, use, kind and size', async () => {
    await open('/media/images')
    await count('2 documents')
    const toggle = (name: string) => page.getByRole('button', { name, exact: true }).click()
    for (const name of ['Missing alternative text', 'Unused']) {
      await toggle(name)
      await expect.poll(pictures).toContain('High')
      await count('1 document')
      await toggle(name)
      await count('2 documents')
    }
    await filters()
    await page.getByLabel('Kind').selectOption('JPG')
    await count('2 documents')
    const size = page.getByRole('group', { name: 'Size' })
    await size.getByLabel('Width at least (pixels)').fill('600')
    await page.keyboard.press('Enter')
    await count('1 document')
    await expect.poll(pictures).toContain('Wide')
    await page.reload()
    await count('1 document')
    await expect.poll(() => size.getByLabel('Width at least (pixels)').inputValue()).toBe('600')
    await size.getByLabel('Height at least (pixels)').fill('600')
    await page.keyboard.press('Tab')
    await page.getByText('Nothing matches.').waitFor()
    await size.getByLabel('Width at least (pixels)').fill('')
    await page.keyboard.press('Tab')
    await expect.poll(pictures).toContain('High')
    await expectAccessible(page, 'filters of pictures')
    await expectFits(page, 'filters of pictures')
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('9 files by use and kind', async () => {
    await open('/media/files')
    await page.getByRole('button', { name: 'Unused', exact: true }).click()
    await page.getByText('Nothing matches.').waitFor()
    await expect.poll(() => page.getByLabel('Kind').count()).toBe(1)
    expect(await page.getByRole('group', { name: 'Size' }).count()).toBe(0)
  })
})
