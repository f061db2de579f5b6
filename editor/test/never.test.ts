import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../cms/src/app.ts'
import { defineSite, piece } from '../../cms/src/index.ts'
import { type Desk, describeEditor } from './editor.ts'

const siteIn = (locales: object) =>
  // `as`: what is made by a program is typed as what a site author writes.
  defineSite({
    name: 'Ink',
    locales,
    types: [piece('article', { fields: { add: { subtitle: { type: 'string' }, more: { type: 'string' } } } })],
  } as never)
const EN = { en: { label: 'English' } }
const site = siteIn({ ...EN, fr: { label: 'Français', prefix: '/fr' } })

describeEditor('editor: what must not happen', { site }, ({ service, desk, complaints }) => {
  let at: Desk
  beforeAll(async () => {
    at = await desk('editor')
  })
  const made = async (title: string): Promise<string> =>
    (await service.editor.post('article', { title })).body.aposDocId

  test('§4.4 many saves of a day are one version', async () => {
    const id = await made('Ink')
    await at.open(`/content/article/${id}`)
    const subtitle = at.page.getByRole('textbox', { name: 'Subtitle' })
    for (const word of ['slow', 'and', 'blue']) {
      const answer = at.page.waitForResponse((response) => response.request().method() === 'PATCH')
      await subtitle.press('End')
      await at.page.keyboard.type(` ${word}`)
      expect((await answer).status()).toBe(200)
    }
    expect((await service.editor.get(`article/${id}:en:draft`)).body.subtitle).toBe('slow and blue')
    const { body } = await service.editor.get('@cms/document-versions', `docId=${id}`)
    expect(body.results.map(({ author }: { author: string }) => author)).toEqual(['The editor', 'editor key'])
  })

  test('§11 editor 7 what is written in a locale that was removed meanwhile is kept, and saved once it is there again', async () => {
    const id = await made('Gone')
    await service.editor.post(`article/${id}:en:draft/localize`, { toLocale: 'fr' })
    await at.open(`/content/article/${id}?locale=fr`)
    const subtitle = at.page.getByRole('textbox', { name: 'Subtitle' })
    await subtitle.waitFor()
    const app = await createApp(siteIn(EN), { database: service.databaseUrl })
    onTestFinished(async () => {
      await app.close()
      await (await createApp(site, { database: service.databaseUrl })).close()
    })
    const address = await app.listen(0, '127.0.0.1')
    await at.page.route('**/api/**', async (route) => {
      const request = route.request()
      const { pathname, search } = new URL(request.url())
      const headers = { ...request.headers(), origin: address }
      const response = await route.fetch({ url: address + pathname + search, headers })
      await route.fulfill({ response })
    })
    await subtitle.fill('Lente et bleue')
    await at.page
      .getByRole('status')
      .getByText(/^Not saved: .*names no locale of this site/)
      .waitFor()
    await expect.poll(() => subtitle.inputValue()).toBe('Lente et bleue')
    const { body } = await service.editor.get(`article/${id}:en:draft`)
    expect(body).toMatchObject({ title: 'Gone', subtitle: '' })
    await at.page.unroute('**/api/**')
    await subtitle.press('End')
    await at.page.keyboard.type(' et patiente')
    await expect
      .poll(async () => (await service.editor.get(`article/${id}:fr:draft`)).body.subtitle)
      .toBe('Lente et bleue et patiente')
    complaints.splice(0)
  })
})
