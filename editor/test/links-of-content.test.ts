import { expect, test } from 'vitest'
import { defineSite } from '../../cms/src/model/compile/site.ts'
import { piece } from '../../cms/src/model/declared/content-type.ts'
import { describeEditor } from './editor.ts'

const site = defineSite({
  name: 'Ink',
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [
    piece('note', {
      fields: {
        add: {
          locked: { label: 'Locked', type: 'richText', editPermission: 'admin' },
          text: { label: 'Text', type: 'richText' },
        },
      },
    }),
  ],
})

const LINKED = '<p>Read <a href="/elsewhere">this</a></p>'

describeEditor('editor: links of the content', { site }, ({ service, desk }) => {
  test('a click on one leads nowhere, wherever it is drawn', async () => {
    const { body } = await service.admin.post('note', { title: 'Ink', locked: LINKED, text: LINKED })
    await service.admin.post(`note/${body._id}/localize`, { toLocale: 'fr' })
    const { page, open } = await desk('editor')
    await open(`/content/note/${body.aposDocId}?locale=fr&with=en`)
    const beside = page.getByRole('group', { name: /English/ }).getByRole('link', { name: 'this' })
    await beside.first().waitFor()
    const links = [page.getByLabel('Locked', { exact: true }).locator('a'), beside.first(), beside.last()]
    const address = page.url()
    for (const link of links) {
      await link.click()
      await link.press('Enter')
    }
    expect(page.url()).toBe(address)
    await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('Ink')
  })
})
