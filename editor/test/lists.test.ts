import type { Page } from 'playwright-core'
import { defineSite, piece } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import { type Desk, describedBy, describeEditor } from './editor.ts'

const COUNT = 60

const site = defineSite({
  name: 'Lists',
  types: [
    piece('article', {
      label: 'Article',
      fields: {
        add: {
          section: { type: 'select', choices: ['essay', 'report'] },
          date: { type: 'date', label: 'Day of issue' },
          lead: { type: 'string', required: true },
        },
      },
    }),
    piece('rule', { label: 'Rule', editRole: 'editor' }),
  ],
})

describeEditor('Lists', { site }, ({ service, desk }) => {
  let editor: Desk
  let page: Page
  const table = () => page.getByRole('table', { name: 'Articles' })
  /** The titles of the rows. */
  const titles = () => table().getByRole('rowheader').allInnerTexts()
  const count = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()

  beforeAll(async () => {
    for (let number = 1; number <= COUNT; number += 1)
      await service.editor.post(
        'article',
        {
          title: `Article ${String(number).padStart(2, '0')}`,
          section: number % 3 === 0 ? 'essay' : 'report',
          date: `2026-05-${String((number % 28) + 1).padStart(2, '0')}`,
          ...(number === 59 ? { _incomplete: true } : { lead: 'A lead' }),
        },
        'aposMode=draft',
      )
    editor = await desk('editor')
    page = editor.page
  })

  test('3.5 a list is filtered, sorted and paged, and its address brings it back', async () => {
    await page.getByRole('link', { name: 'Articles' }).click()
    await count('60 documents')
    expect(await titles()).toHaveLength(50)
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(titles).toHaveLength(10)
    await page.getByRole('button', { name: 'Title', exact: true }).click()
    await expect.poll(async () => (await titles())[0]).toBe('Article 01')
    await expect
      .poll(() => table().getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort'))
      .toBe('ascending')
    await page.getByText('Filters', { exact: true }).click()
    await page.getByLabel('Section').selectOption('essay')
    await count('20 documents')
    await page.getByRole('button', { name: 'Title' }).click()
    await expect.poll(async () => (await titles())[0]).toBe('Article 60')
    await page.getByRole('searchbox', { name: 'Search' }).fill('57')
    await count('1 document')
    await page.reload()
    await count('1 document')
    await expect.poll(() => page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('57')
    await page.getByRole('searchbox', { name: 'Search' }).fill('nowhere')
    await page.getByText('Nothing matches.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
    await count('60 documents')
  })

  test('3.5 many are published at once; what failed is listed with the reason, mended, and tried again', async () => {
    await page.getByRole('button', { name: 'Title', exact: true }).click()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(titles).toHaveLength(10)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('group', { name: '10 selected' }).getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog', { name: '1 document failed' })
    await dialog.getByText('Article 59').waitFor()
    await expect.poll(() => dialog.getByRole('listitem').innerText()).toMatch(/lead/i)
    const { results } = (await service.editor.get('article', 'aposMode=draft&title=Article 59')).body
    await service.editor.patch(`article/${results[0].aposDocId}`, { lead: 'A lead' }, 'aposMode=draft')
    await dialog.getByRole('button', { name: 'Try these again' }).click()
    await expect.poll(() => dialog.count()).toBe(0)
    await expect.poll(() => table().getByRole('cell', { name: 'Published' }).count()).toBe(10)
    await page.getByRole('button', { name: 'Published', exact: true }).click()
    await count('10 documents')
  })

  test('3.5 the keyboard alone selects and archives', async () => {
    await page.getByRole('checkbox', { name: 'Select Article 51' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('group', { name: '1 selected' }).getByRole('button', { name: 'Archive' }).focus()
    await page.keyboard.press('Enter')
    await count('9 documents')
    await page.getByRole('button', { name: 'Archived', exact: true }).click()
    await count('1 document')
    await page.getByRole('checkbox', { name: 'Select Article 51' }).check()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Nothing matches.').waitFor()
  })

  test('3.4 Home leads to what was changed, and what waits', async () => {
    await page.getByRole('link', { name: 'Home' }).click()
    const waiting = page.getByRole('region', { name: 'Waiting to be published' })
    await expect.poll(() => waiting.getByRole('link').count()).toBe(8)
    await waiting.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: /Article/ }).waitFor()
  })

  test('12 a contributor reads why things are off', async () => {
    const contributor = await desk('contributor')
    page = contributor.page
    await contributor.open('/content/article')
    await page.getByRole('checkbox', { name: 'Select Article 57' }).check()
    for (const name of ['Publish', 'Archive']) {
      const button = page.getByRole('group', { name: '1 selected' }).getByRole('button', { name })
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
      expect(await describedBy(button)).toBe('Only editors may do this.')
    }
    await page.getByRole('link', { name: 'Rules' }).click()
    const create = page.getByRole('button', { name: 'New Rule' })
    expect(await describedBy(create)).toBe('Only editors may do this.')
    await page.getByRole('link', { name: 'Articles' }).click()
    await page.getByRole('link', { name: 'New Article' }).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Waiting for an editor' }).waitFor()
    expect(await page.getByRole('link', { name: 'New Rule' }).count()).toBe(0)
  })
})
