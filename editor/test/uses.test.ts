import type { Page } from 'playwright-core'
import { defineSite, page as pageType, piece } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import { describeEditor, expectAccessible } from './editor.ts'
import { expectFits } from './looks.ts'

const site = defineSite({
  name: 'Uses',
  types: [
    piece('topic'),
    piece('note', {
      fields: {
        add: {
          _topics: { type: 'relationship', withType: 'topic' },
          _pages: { type: 'relationship', withType: '@cms/any-page' },
          text: { type: 'richText', toolbar: ['link'] },
        },
      },
    }),
    pageType('leaf'),
  ],
})

describeEditor('What uses a document', { site }, ({ service, desk }) => {
  let page: Page
  let open: (path: string) => Promise<void>
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await service.editor.post(path, body)
    expect(answer.status).toBe(200)
    return answer.body.aposDocId
  }
  const isArchived = async (path: string, id: string) =>
    (await service.editor.get(`${path}/${id}:en:draft`, 'archived=any')).body.archived === true
  const dialog = (name: string) => page.getByRole('dialog', { name })

  let topic: string
  let leaf: string
  beforeAll(async () => {
    topic = await made('topic', { title: 'Rivers' })
    await made('topic', { title: 'Alone' })
    await made('topic', { title: 'Lakes' })
    const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
    const bud = (await service.editor.post('@cms/page', { ...place, title: 'Bud' }, 'aposMode=draft')).body.aposDocId
    leaf = await made('@cms/page', { ...place, title: 'Leaf' })
    for (let n = 1; n <= 6; n += 1) await made('note', { title: `Note ${n}`, _topics: [topic] })
    const text = `<p><a href="#apostrophe-permalink-${topic}?updateTitle=0">x</a></p>`
    await made('note', { title: 'Linked', text, _pages: [leaf, bud] })
    const at = await desk('editor')
    page = at.page
    open = at.open
  })

  test('is told before a document is archived, with the first links, and shown in its menu', async () => {
    await open(`/content/topic/${topic}`)
    const more = page.getByRole('region', { name: 'Publishing' }).getByRole('button', { name: 'More actions' })
    await more.click()
    await page.getByRole('menuitem', { name: 'Where it is used' }).click()
    await dialog('Where Rivers is used').getByText('7 documents use it:').waitFor()
    await expect.poll(() => dialog('Where Rivers is used').getByRole('link').count()).toBe(7)
    await dialog('Where Rivers is used').getByText('Text', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await more.click()
    await page.getByRole('menuitem', { name: 'Archive', exact: true }).click()
    const asking = dialog('Archive “Rivers”?')
    await asking.getByText('“Rivers” is used by 7 documents:').waitFor()
    await expect
      .poll(() => asking.getByRole('link').allInnerTexts())
      .toEqual(['Linked', 'Note 6', 'Note 5', 'Note 4', 'Note 3'])
    await asking.getByText('and 2 more').waitFor()
    await expectAccessible(page, 'the question before archiving')
    await asking.getByRole('button', { name: 'Cancel' }).click()
    expect(await isArchived('topic', topic)).toBe(false)
    await more.click()
    await page.getByRole('menuitem', { name: 'Archive', exact: true }).click()
    await asking.getByRole('button', { name: 'Archive' }).click()
    await expect.poll(() => isArchived('topic', topic)).toBe(true)
    await service.editor.post(`topic/${topic}/restore`)
  })

  test('is told before many are archived; what nothing uses is archived at once', async () => {
    await open('/content/topic')
    const archive = (count: number) =>
      page
        .getByRole('group', { name: `${count} selected` })
        .getByRole('button', { name: 'Archive' })
        .click()
    await page.getByRole('checkbox', { name: 'Select Alone' }).check()
    await archive(1)
    await expect.poll(() => page.getByRole('checkbox', { name: 'Select Alone' }).count()).toBe(0)
    for (const title of ['Rivers', 'Lakes']) await page.getByRole('checkbox', { name: `Select ${title}` }).check()
    await archive(2)
    const asking = dialog('Archive 2 documents?')
    await asking.getByRole('region', { name: 'Rivers' }).getByText('“Rivers” is used by 7 documents:').waitFor()
    await expect.poll(() => asking.getByRole('region').count()).toBe(1)
    await expectFits(page, 'the question before many are archived')
    await page.setViewportSize({ width: 1280, height: 900 })
    await asking.getByRole('button', { name: 'Archive' }).click()
    await expect.poll(() => isArchived('topic', topic)).toBe(true)
    await service.editor.post(`topic/${topic}/restore`)
  })

  test('is told of pages, before they are archived and deleted', async () => {
    await open('/pages')
    const act = async (item: string, title = 'Leaf') => {
      await page.getByRole('button', { name: `More actions: ${title}` }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    await act('Archive')
    const asking = dialog('Archive “Leaf”?')
    await expect.poll(() => asking.getByRole('link').allInnerTexts()).toEqual(['Linked'])
    await asking.getByRole('button', { name: 'Cancel' }).click()
    await act('Delete', 'Bud')
    await page.getByRole('dialog').getByText('“Bud” is used by 1 document:').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await act('Archive')
    await asking.getByRole('button', { name: 'Archive' }).click()
    await expect.poll(() => isArchived('@cms/page', leaf)).toBe(true)
  })
})
