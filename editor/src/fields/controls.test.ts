import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { defineSite, piece } from '../../../cms/src/index.ts'
import { jpeg } from '../../../cms/test/media.ts'
import { focused } from '../../test/by-keyboard.ts'
import { describeEditor, expectAccessible } from '../../test/editor.ts'

describeEditor('4.2 controls', {}, ({ service, desk, complaints }) => {
  beforeAll(async () => {
    for (const title of ['Rivers', 'Night', 'Printing']) {
      await service.admin.post('topic', { title })
      await service.editor.post('article', { title: `About ${title}` })
    }
    await service.editor.post('topic', { title: 'Craft', _incomplete: true }, 'aposMode=draft')
  })

  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
  const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
  const add = async (page: Page, block: string) => {
    await page.getByRole('button', { name: 'Add block to Body' }).click()
    await page.getByRole('option', { name: block, exact: true }).click()
    await group(page, 'Body')
      .getByRole('group', { name: new RegExp(`^${block} \\d$`) })
      .waitFor()
  }
  const saved = (page: Page) =>
    page
      .getByRole('status')
      .getByText(/^Saved/)
      .waitFor()
  const stored = async (page: Page) => {
    const id = page.url().split('/').at(-1)?.split('?')[0]
    return (await service.editor.get(`article/${id}`, 'aposMode=draft')).body
  }
  const options = (field: Locator, name: RegExp) => field.getByRole('option', { name })
  const picture = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await jpeg() })

  test('13 every field type is set as a person does it, saved, and read again', async () => {
    const { page, open } = await desk('editor')
    await open('/content/article/new')
    await field(page, 'Title').fill('On ink')
    await field(page, 'Subtitle').fill('Slowly')
    await field(page, 'Code').fill('QX7')
    await field(page, 'Count').press('ArrowUp')
    await field(page, 'Rating').fill('2,5')
    await field(page, 'Featured').check()
    await field(page, 'Event date').fill('2026-12-31')
    await field(page, 'Event time').fill('14:30')
    await field(page, 'At').fill('2026-11-27T09:15')
    await field(page, 'Link').fill('https://example.org/ink')
    await field(page, 'Contact').fill('ann@example.org')
    await field(page, 'Level').selectOption({ label: 'High' })
    await group(page, 'Tags').getByLabel('Red').check()
    await group(page, 'Tags').getByLabel('Blue').check()
    await group(page, 'Tone').getByLabel('Loud').check()
    await field(page, 'Tint').fill('#336699')
    await field(page, 'Size').press('ArrowRight')
    const spacing = group(page, 'Spacing')
    await spacing.getByLabel('Top').fill('4')
    await spacing.getByLabel('Left').fill('0.5')
    await field(page, 'City').fill('Porto')
    await field(page, 'Zip').fill('4000')
    const topics = group(page, 'Topics')
    await topics.getByRole('combobox', { name: 'Add to Topics' }).fill('riv')
    await options(topics, /Rivers/).click()
    await topics.getByRole('group', { name: 'Rivers' }).waitFor()
    const related = group(page, 'Related')
    await related.getByRole('combobox', { name: 'Add to Related' }).fill('about ni')
    await options(related, /About Night/).click()
    await related.getByRole('group', { name: 'About Night' }).getByLabel('Why').fill('Both are dark')
    await group(page, 'Links').getByRole('button', { name: 'Add to Links' }).click()
    await page.keyboard.type('Galls')
    await field(page, 'Href').fill('https://galls.example/')
    await field(page, 'N').fill('3')
    const body = group(page, 'Body')
    await add(page, 'Rich text')
    await body.getByRole('toolbar', { name: 'Text' }).waitFor()
    await page.keyboard.type('Slow ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('ink')
    await add(page, 'Promo')
    await page.keyboard.type('Read on')
    await add(page, 'Plain')
    await page.keyboard.type('In plain words')
    const promo = group(page, 'Promo 2')
    await promo.getByRole('button', { name: 'Add to Items' }).click()
    await page.keyboard.type('One')
    await promo.getByRole('button', { name: 'Add to Items' }).click()
    await page.keyboard.type('Two')
    const image = group(page, 'Image')
    await image.locator('input[type=file]').setInputFiles(await picture('Old town.jpg'))
    await image.getByRole('group', { name: 'Old town' }).getByLabel('Alternative text').waitFor()
    const download = group(page, 'Download')
    const office = { name: 'terms.txt', mimeType: 'text/plain', buffer: Buffer.from('Terms') }
    await download.locator('input[type=file]').setInputFiles(office)
    await download.getByRole('link', { name: 'terms.txt' }).waitFor()
    await saved(page)

    await expect.poll(async () => (await stored(page)).download?.name).toBe('terms')
    const document = await stored(page)
    expect(document).toMatchObject({
      title: 'On ink',
      slug: 'on-ink',
      subtitle: 'Slowly',
      code: 'QX7',
      count: 8,
      rating: 2.5,
      featured: true,
      eventDate: '2026-12-31',
      eventTime: '14:30',
      link: 'https://example.org/ink',
      contact: 'ann@example.org',
      level: 'high',
      tags: ['red', 'blue'],
      tone: 'loud',
      tint: '#336699',
      size: 60,
      spacing: { top: 4, right: null, bottom: null, left: 0.5 },
      address: { city: 'Porto', zip: 4000 },
      links: [{ label: 'Galls', href: 'https://galls.example/', n: 3 }],
      body: {
        items: [
          { type: '@cms/rich-text', content: '<p>Slow <strong>ink</strong></p>' },
          { type: 'promo', heading: 'Read on', items: [{ text: 'One' }, { text: 'Two' }] },
          { type: 'plain', text: 'In plain words' },
        ],
      },
      _topics: [{ title: 'Rivers' }],
      _image: [{ title: 'Old town' }],
      _related: [{ title: 'About Night', _fields: { why: 'Both are dark' } }],
    })
    expect(new Date(document.at).getTime()).toBe(await page.evaluate(() => new Date('2026-11-27T09:15').getTime()))

    await page.reload()
    await related.getByRole('group', { name: 'About Night' }).waitFor()
    expect(await shown(page)).toEqual({
      Title: 'On ink',
      Slug: 'on-ink',
      Subtitle: 'Slowly',
      Code: 'QX7',
      Count: '8',
      Rating: '2.5',
      'Event date': '2026-12-31',
      'Event time': '14:30',
      At: '2026-11-27T09:15',
      Link: 'https://example.org/ink',
      Contact: 'ann@example.org',
      Tint: '#336699',
      Size: '60',
      City: 'Porto',
      Zip: '4000',
      Why: 'Both are dark',
      Top: '4',
      Label: 'Galls',
      Href: 'https://galls.example/',
      N: '3',
      Heading: 'Read on',
    })
    expect(await promo.getByLabel('Text').evaluateAll(valuesOf)).toEqual(['One', 'Two'])
    expect(await group(page, 'Plain 3').getByLabel('Text').inputValue()).toBe('In plain words')
    await image.getByRole('group', { name: 'Old town' }).waitFor()
    expect(await group(page, 'Rich text 1').getByRole('textbox').innerText()).toBe('Slow ink')
    expect(await group(page, 'Tags').getByRole('checkbox', { checked: true }).count()).toBe(2)
    expect(await group(page, 'Tone').getByLabel('Loud').isChecked()).toBe(true)
    await expectAccessible(page, 'a filled form')
    await page.setViewportSize({ width: 320, height: 800 })
    expect(await overflow(page)).toBe(0)
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    expect(await overflow(page)).toBe(0)
    await expectAccessible(page, 'a filled form from the right, 320 px wide')
    expect((await stored(page)).updatedAt).toBe(document.updatedAt)
  })

  const NAMES = ['Title', 'Slug', 'Subtitle', 'Code', 'Count', 'Rating', 'Event date', 'Event time', 'At', 'Link']
  const MORE = ['Contact', 'Tint', 'Size', 'City', 'Zip', 'Why', 'Top', 'Label', 'Href', 'N', 'Heading']
  const shown = async (page: Page) =>
    Object.fromEntries(
      await Promise.all([...NAMES, ...MORE].map(async (name) => [name, await field(page, name).inputValue()])),
    )
  const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

  test('19 relationships are found, made in place, ordered and taken out by the keyboard alone', async () => {
    const { page, open } = await desk('editor')
    await open('/content/article/new')
    await field(page, 'Title').fill('Order')
    const topics = group(page, 'Topics')
    const titles = () => topics.getByRole('listitem').getByRole('link').allTextContents()
    const add = topics.getByRole('combobox', { name: 'Add to Topics' })
    await add.fill('nig')
    await expect.poll(() => options(topics, /./).allTextContents()).toEqual(['Night'])
    await add.press('ArrowDown')
    await add.press('Enter')
    await topics.getByRole('group', { name: 'Night' }).waitFor()
    await add.fill('craft')
    await options(topics, /Craft.*not published/).click()
    await topics.getByRole('group', { name: 'Craft' }).getByText('not published').waitFor()

    await topics.getByRole('button', { name: 'New Topic' }).press('Enter')
    const making = page.getByRole('dialog', { name: 'New Topic' })
    await making.getByRole('textbox', { name: 'Title' }).waitFor()
    await page.keyboard.press('Enter')
    await making.getByText('Give it a title.').waitFor()
    await page.keyboard.type('Paper')
    await page.keyboard.press('Enter')
    await topics.getByRole('group', { name: 'Paper' }).waitFor()
    expect(await titles()).toEqual(['Night', 'Craft', 'Paper'])

    const up = topics.getByRole('group', { name: 'Paper' }).getByRole('button', { name: 'Move up' })
    await up.press('Enter')
    await expect.poll(titles).toEqual(['Night', 'Paper', 'Craft'])
    await expect.poll(() => up.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(titles).toEqual(['Paper', 'Night', 'Craft'])
    expect(await up.getAttribute('aria-disabled')).toBe('true')
    await topics.getByRole('group', { name: 'Night' }).getByRole('button', { name: 'Remove' }).press('Enter')
    await expect.poll(titles).toEqual(['Paper', 'Craft'])
    await saved(page)
    await expect.poll(async () => (await stored(page))._topics.map(titleOf)).toEqual(['Paper', 'Craft'])

    await topics.getByRole('button', { name: 'Browse' }).press('Enter')
    const choose = page.getByRole('dialog', { name: 'Choose Topics' })
    await choose.getByRole('checkbox', { name: 'Select Rivers' }).press('Space')
    await choose.getByRole('searchbox', { name: 'Search' }).fill('cra')
    await choose.getByRole('checkbox', { name: 'Select Rivers' }).waitFor({ state: 'detached' })
    await choose.getByRole('checkbox', { name: 'Select Craft' }).uncheck()
    await expectAccessible(page, 'the dialog Choose')
    await choose.getByRole('button', { name: 'Done' }).press('Enter')
    await expect.poll(titles).toEqual(['Paper', 'Rivers'])
    await expect.poll(async () => (await stored(page))._topics.map(titleOf)).toEqual(['Paper', 'Rivers'])
  })

  test('20 a picture is uploaded by button, drop and paste, and asked for its alternative text', async () => {
    const { page, open } = await desk('editor')
    await open('/content/article/new')
    await field(page, 'Title').fill('Pictures')
    const image = group(page, 'Image')
    const chooser = page.waitForEvent('filechooser')
    await image.getByRole('button', { name: 'Upload' }).click()
    await (await chooser).setFiles(await picture('Old harbour.jpg'))
    const chosen = image.getByRole('group', { name: 'Old harbour' })
    await chosen.getByText('The alternative text is missing.').waitFor()
    await expect.poll(() => focused(page)).toBe('textbox "Alternative text"')
    await page.keyboard.type('Boats in a harbour')
    await page.keyboard.press('Tab')
    await saved(page)
    await expect.poll(async () => (await stored(page))._image[0]?.alt).toBe('Boats in a harbour')
    const width = await chosen.locator('svg image').evaluate(async (one: SVGImageElement) => {
      const drawn = new Image()
      drawn.src = one.href.baseVal
      await drawn.decode()
      return drawn.naturalWidth
    })
    expect(width).toBe(190)
    expect(await image.getByRole('button', { name: 'Upload' }).getAttribute('aria-disabled')).toBe('true')

    for (const [kind, name] of [
      ['drop', 'Dropped'],
      ['paste', 'Pasted'],
    ] as const) {
      await chosen
        .or(image.getByRole('group', { name: 'Dropped' }))
        .getByRole('button', { name: 'Remove' })
        .click()
      await give(image.getByRole('button', { name: 'Upload' }), kind, await picture(`${name}.jpg`))
      await image.getByRole('group', { name }).waitFor()
    }
    await expectAccessible(page, 'a picture without alternative text')
    await image.getByRole('button', { name: 'Browse' }).click()
    const choose = page.getByRole('dialog', { name: 'Choose Image' })
    await choose.getByRole('checkbox', { name: 'Select Old harbour' }).check()
    expect(await choose.getByRole('checkbox', { name: 'Select Pasted' }).isChecked()).toBe(false)
    await expectAccessible(page, 'pictures to choose')
    await choose.getByRole('button', { name: 'Done' }).click()
    await chosen.waitFor()
    await expect.poll(async () => (await stored(page))._image.map(titleOf)).toEqual(['Old harbour'])
  })

  test('21 a file of another kind, or that is no picture, is refused in words', async () => {
    const { page, open } = await desk('editor')
    await open('/content/article/new')
    await field(page, 'Title').fill('Refused')
    const files = group(page, 'Image').locator('input[type=file]')
    await files.setInputFiles({ name: 'notes.exe', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await page.getByText('notes.exe is not one of these: gif, jpg').waitFor()
    await files.setInputFiles({ name: 'fake.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('x') })
    await page.getByText(/^fake.jpg was not uploaded: /).waitFor()
    await expectAccessible(page, 'refused files')
    expect(complaints).toEqual([])
  })

  test('20 an upload tells how far it is, and can be cancelled', async () => {
    const { page, open } = await desk('editor')
    await page.route('**/attachment/upload', () => {})
    await open('/content/article/new')
    const image = group(page, 'Image')
    await image.locator('input[type=file]').setInputFiles(await picture('slow.jpg'))
    await image.getByRole('progressbar', { name: 'Uploading slow.jpg' }).waitFor()
    await image.getByRole('button', { name: 'Cancel slow.jpg' }).click()
    await image.getByText('slow.jpg was not uploaded.').waitFor()
    await image.getByRole('button', { name: 'Close' }).click()
    await image.getByText('slow.jpg was not uploaded.').waitFor({ state: 'detached' })
  })

  test('a slug says whether it is free, and becomes what the service makes of it', async () => {
    const { page, open } = await desk('editor')
    await open('/content/article/new')
    await field(page, 'Title').fill('Taken once')
    await saved(page)
    const slug = field(page, 'Slug')
    await slug.fill('About Night')
    await page.getByText('Taken. about-night-2 would be used.').waitFor()
    await slug.press('Tab')
    await expect.poll(() => slug.inputValue()).toBe('about-night-2')
    await page.getByRole('button', { name: 'Make it from the title' }).click()
    await expect.poll(() => slug.inputValue()).toBe('taken-once')
    await expect.poll(async () => (await stored(page)).slug).toBe('taken-once')
  })

  test('what refers to a document is a list of links', async () => {
    const topic = (await service.admin.post('topic', { title: 'Paths' })).body
    await service.editor.post('article', { title: 'On paths', _topics: [topic] })
    const { page, open } = await desk('editor')
    await open(`/content/topic/${topic.aposDocId}`)
    const articles = group(page, 'Articles')
    await articles.getByText('The service keeps this by itself.').waitFor()
    await articles.getByRole('link', { name: 'On paths' }).click()
    await page.getByRole('heading', { level: 1, name: 'On paths' }).waitFor()
  })
})

const kit = defineSite({
  locales: { en: { label: 'English' } },
  types: [
    piece('kit', {
      fields: {
        add: {
          _vaults: { type: 'relationship', withType: 'vault', min: 1, max: 3 },
          _fixed: { type: 'relationship', withType: 'vault', editPermission: 'admin' },
          clip: { type: 'oembed' },
          loudness: { type: 'range', min: -10, max: 10 },
        },
      },
    }),
    piece('vault', { editRole: 'admin', publishRole: 'admin' }),
  ],
})

describeEditor('4.2 controls of what not everybody may do', { site: kit }, ({ service, desk }) => {
  test('33 it is told why', async () => {
    const vault = (await service.admin.post('vault', { title: 'First' })).body
    const made = (await service.admin.post('kit', { title: 'Box', _fixed: [vault], _vaults: [vault] })).body
    const { page, open } = await desk('editor')
    await open(`/content/kit/${made.aposDocId}`)
    const vaults = page.getByRole('group', { name: 'Vaults' })
    const making = vaults.getByRole('button', { name: 'New Vault' })
    await making.waitFor()
    expect(await making.getAttribute('aria-disabled')).toBe('true')
    await vaults.getByRole('tooltip', { name: 'Only admins may do this.' }).waitFor()
    await vaults.getByText('From 1 to 3.').waitFor()
    const fixed = page.getByRole('group', { name: 'Fixed' })
    await fixed.getByRole('link', { name: 'First' }).waitFor()
    await fixed.getByText('Only admins may do this.').waitFor()
    expect(await fixed.getByRole('button').count()).toBe(0)
  })

  test('a range may have no value; an address that cannot be embedded is told', async () => {
    const { page, open } = await desk('editor')
    await open('/content/kit/new')
    await page.getByLabel('Title', { exact: true }).fill('Values')
    const slider = page.getByRole('slider', { name: 'Loudness' })
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('Not set')
    await slider.press('ArrowRight')
    await expect.poll(() => page.getByLabel('Loudness, as a number').inputValue()).toBe('-9')
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('Not set')
    await page.getByLabel('Clip').fill('https://nowhere.example/1')
    await page.getByText(/^This address cannot be embedded/).waitFor()
    await expectAccessible(page, 'controls without values')
    await page
      .getByRole('status')
      .getByText(/^Saved/)
      .waitFor()
    const stored = async () => (await service.editor.get('kit', 'aposMode=draft&title=Values')).body.results[0]
    await expect.poll(stored).toMatchObject({ loudness: null, clip: { url: 'https://nowhere.example/1' } })
  })
})

function valuesOf(fields: Element[]): string[] {
  return fields.map((field) => (field instanceof HTMLInputElement ? field.value : ''))
}

function titleOf({ title }: { readonly title: string }): string {
  return title
}

/** Drops a file on an element, or pastes it there, as a browser tells the page of it. */
async function give(target: Locator, kind: 'drop' | 'paste', file: { name: string; mimeType: string; buffer: Buffer }) {
  const given = { kind, name: file.name, type: file.mimeType, base64: file.buffer.toString('base64') }
  await target.evaluate((element, { kind, name, type, base64 }) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], name, { type }))
    const common = { bubbles: true, cancelable: true }
    element.dispatchEvent(
      kind === 'drop'
        ? new DragEvent('drop', { ...common, dataTransfer: data })
        : new ClipboardEvent('paste', { ...common, clipboardData: data }),
    )
  }, given)
}
