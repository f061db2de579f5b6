import { Buffer } from 'node:buffer'
import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { jpeg } from '../../cms/test/media.ts'
import { PASSWORD } from '../../cms/test/people.ts'
import { site } from '../../example/site.ts'
import { describeEditor, signIn } from './editor.ts'
import { held } from './held.ts'

/** Somebody else signs in with the same browser, in another tab or while this one waits. */
async function swapSession(context: BrowserContext, username: string): Promise<void> {
  // What the pages still ask for would show them before the tests do.
  for (const page of context.pages()) await page.waitForLoadState('networkidle')
  await context.clearCookies()
  await context.request.post('/api/v1/@cms/login/login', { data: { username, password: PASSWORD, session: true } })
}

describeEditor('editor: sessions', { site }, ({ service, desk }) => {
  const article = async (title: string): Promise<string> => {
    const { body } = await service.editor.post('article', { title, section: 'essay' }, 'aposMode=draft')
    return body.aposDocId
  }
  const isPublished = async (id: string) => (await service.anonymous.get(`article/${id}`)).status === 200

  test('§11 editor 2 publishing, many at once, and uploads are refused under somebody else’s session', async () => {
    const { page, context, open } = await desk('editor')
    const id = await article('Publish me')
    await open(`/content/article/${id}`)
    await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
    await swapSession(context, 'admin')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.waitFor()
    expect(await isPublished(id)).toBe(false)
    await signIn(page, 'editor')
    await dialog.waitFor({ state: 'detached' })
    await open('/content/article')
    await page.getByRole('checkbox', { name: 'Select Publish me' }).check()
    await swapSession(context, 'admin')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await dialog.waitFor()
    expect(await isPublished(id)).toBe(false)
    await page.keyboard.press('Escape')
    await swapSession(context, 'editor')
    await open('/media/images')
    await page.getByRole('button', { name: 'Upload' }).waitFor()
    await swapSession(context, 'admin')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload' }).click()
    await (await chooser).setFiles({ name: 'boat.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await jpeg()) })
    await dialog.waitFor()
    expect((await service.admin.get('@cms/image', 'search=boat&aposMode=draft')).body.total).toBe(0)
  })

  test('§11 editor 2 what somebody began before signing out is not done by whoever signs in after', async () => {
    const { page, open } = await desk('editor')
    const id = await article('Begun by the editor')
    await open(`/content/article/${id}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).waitFor()
    const { letGo } = await held(page, 'POST', '**/publish?**')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await signIn(page, 'admin')
    letGo()
    await page.waitForTimeout(500)
    expect(await isPublished(id)).toBe(false)
    expect(await page.getByRole('dialog', { name: 'Sign in' }).count()).toBe(0)
  })

  test('§11 editor 3.3 who signs out in a tab whose session is over sees the form, and ends nobody else’s', async () => {
    const { page, context } = await desk('editor')
    await swapSession(context, 'admin')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect((await context.request.get('/api/v1/@cms/login/whoami')).status()).toBe(200)
  })

  test('§11 editor 2 a page that the network keeps from signing out says so', async () => {
    const { page } = await desk('editor')
    await page.route('**/logout*', (route) => route.abort())
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('The service is not reached.').first().waitFor()
    await page.unroute('**/logout*')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  })
})
