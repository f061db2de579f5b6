import { expect, test } from 'vitest'
import { site } from '../../example/site.ts'
import { describeEditor, signIn } from './editor.ts'

describeEditor('editor: nothing is lost', { site }, ({ service, desk, complaints }) => {
  const article = async (title: string): Promise<string> => {
    const { body } = await service.editor.post('article', { title, section: 'essay' })
    return body.aposDocId
  }
  const subtitleOf = async (id: string) => (await service.editor.get(`article/${id}`, 'aposMode=draft')).body.subtitle

  test('§11 editor 2 the session ends: signing in over the form goes on with the save', async () => {
    const { page, context, open } = await desk('editor')
    const id = await article('Session over')
    await open(`/content/article/${id}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).waitFor()
    await context.clearCookies()
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Written without a session')
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.getByText('Nothing is lost').waitFor()
    await signIn(page, 'editor')
    await dialog.waitFor({ state: 'detached' })
    await page
      .getByRole('status')
      .getByText(/^Saved \d/)
      .waitFor()
    expect(await subtitleOf(id)).toBe('Written without a session')
  })

  test('§11 editor 2 nothing is written as somebody else', async () => {
    const { page, context, open } = await desk('editor')
    const id = await article('Another’s session')
    await open(`/content/article/${id}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).waitFor()
    await context.clearCookies()
    const data = { username: 'admin', password: 'correct horse battery', session: true }
    await context.request.post('/api/v1/@cms/login/login', { data })
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Not by the admin')
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor()
    expect(await subtitleOf(id)).toBe('')
    await signIn(page, 'editor')
    await page
      .getByRole('status')
      .getByText(/^Saved \d/)
      .waitFor()
    const { body } = await service.editor.get(`article/${id}`, 'aposMode=draft')
    expect(body).toMatchObject({ subtitle: 'Not by the admin', updatedBy: { username: 'editor' } })
  })

  test('§11 editor 3 a tab that is closed at once keeps what was typed', async () => {
    const { page, context, open } = await desk('editor')
    const id = await article('Closed tab')
    await open(`/content/article/${id}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Typed and gone')
    await page.waitForTimeout(300)
    await page.close()
    const again = await context.newPage()
    await again.goto(`/admin/content/article/${id}`)
    const putBack = again.getByRole('button', { name: 'Put them back' })
    const box = again.getByRole('textbox', { name: 'Subtitle' })
    await putBack.or(box).first().waitFor()
    if (await putBack.isVisible()) await putBack.click()
    await expect.poll(() => box.inputValue()).toBe('Typed and gone')
    await expect.poll(() => subtitleOf(id)).toBe('Typed and gone')
  })

  test('§11 editor 4 what was written offline survives a new start of the page, and is saved later', async () => {
    const { page, context, open } = await desk('editor')
    const id = await article('Offline')
    await open(`/content/article/${id}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).waitFor()
    await context.route('**/api/**', (route) => route.abort())
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Without a network')
    await page
      .getByRole('status')
      .getByText(/^Not saved: no connection/)
      .waitFor()
    await context.unroute('**/api/**')
    await page.reload()
    await page.getByRole('button', { name: 'Put them back' }).click()
    await page
      .getByRole('status')
      .getByText(/^Saved/)
      .waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Subtitle' }).inputValue()).toBe('Without a network')
    await expect.poll(() => subtitleOf(id)).toBe('Without a network')
    complaints.length = 0
  })

  test('§11 editor 5 a refused save is tried again by itself', async () => {
    const { page, context, open } = await desk('editor')
    const id = await article('Busy')
    await open(`/content/article/${id}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).waitFor()
    let refused = 0
    await context.route('**/api/v1/article/**', (route) => {
      refused += 1
      if (refused > 2) return route.continue()
      return route.fulfill({
        status: 503,
        headers: { 'retry-after': '1' },
        json: { name: 'unavailable', message: 'Busy.', data: {} },
      })
    })
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('At the third try')
    await page
      .getByRole('status')
      .getByText(/^Saved \d/)
      .waitFor()
    expect(await subtitleOf(id)).toBe('At the third try')
  })

  test('what is typed into a text whose tools cannot be loaded is saved at its end; the new version is offered', async () => {
    const { page, context, open } = await desk('editor')
    const items = [{ type: '@cms/rich-text', content: '<p>Old ink</p>' }]
    const { aposDocId: id } = (await service.editor.post('article', { title: 'No tools', body: { items } })).body
    const content = async () => (await service.editor.get(`article/${id}`, 'aposMode=draft')).body.body.items[0].content
    const text = page.getByRole('group', { name: 'Rich text 1' }).getByRole('textbox')
    await open(`/content/article/${id}`)
    await text.waitFor()
    await context.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }))
    await context.route(`**/admin/content/article/${id}`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<script type="module" src="/admin/assets/index-other.js"></script>',
      }),
    )
    await text.focus()
    await page.keyboard.type('a < b')
    await page.getByRole('alert').getByText('The tools for texts could not be loaded').waitFor()
    await page.keyboard.type(' & c')
    await expect.poll(content).toBe('<p>Old ink</p><p>a &lt; b &amp; c</p>')
    await page.getByText('A new version is ready.').waitFor()
    await context.unroute('**/assets/*.js')
    await context.unroute(`**/admin/content/article/${id}`)
    await page.getByRole('alert').filter({ hasText: 'A new version' }).getByRole('button', { name: 'Reload' }).click()
    await text.click()
    await page.getByRole('toolbar', { name: 'Text' }).waitFor()
    await expect.poll(() => text.innerText()).toContain('a < b & c')
  })

  test('a document that somebody else deleted says so, asks no more, and can be made anew', async () => {
    const { page, context, open } = await desk('editor')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const body = { title: 'Deleted meanwhile', section: 'essay' }
    const id: string = (await service.editor.post('article', body, 'aposMode=draft')).body.aposDocId
    await open(`/content/article/${id}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).waitFor()
    expect((await service.admin.delete(`article/${id}:en:draft`)).status).toBe(200)
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Still here')
    await page.getByRole('alert').getByText('Somebody else deleted this document').waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') asked.push(request.url())
    })
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Still here, and more')
    await page.getByRole('textbox', { name: 'Title', exact: true }).focus()
    await page.getByRole('button', { name: 'Copy the text' }).click()
    await page.getByText('The text is copied.').first().waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Still here, and more')
    expect(asked).toEqual([])
    await page.getByRole('button', { name: 'Make a new document of it…' }).click()
    await page.getByRole('button', { name: 'Make a new document of them' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Subtitle' }).inputValue()).toBe('Still here, and more')
  })

  test('§11 editor 15 signing out saves what is open, and asks before anything is thrown away', async () => {
    const { page, context, open } = await desk('editor')
    const [saved, kept] = [await article('Saved at the end'), await article('Kept back')]
    await open(`/content/article/${saved}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('The last words')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await subtitleOf(saved)).toBe('The last words')
    await signIn(page, 'editor')
    await open(`/content/article/${kept}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).waitFor()
    await context.route('**/api/v1/article/**', (route) => route.abort())
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('Only here')
    await page.getByRole('button', { name: 'Sign out' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign out' })
    await dialog.getByText('1 document has changes on this device only').waitFor()
    await dialog.getByRole('link', { name: 'Kept back' }).waitFor()
    const onDevice = page.getByRole('region', { name: 'Not saved yet: on this device only', includeHidden: true })
    await onDevice.getByRole('link', { name: 'Kept back', includeHidden: true }).waitFor()
    await context.unroute('**/api/v1/article/**')
    await dialog.getByRole('button', { name: 'Throw the changes away' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await signIn(page, 'editor')
    await open(`/content/article/${kept}`)
    await expect.poll(() => page.getByRole('textbox', { name: 'Subtitle' }).inputValue()).toBe('')
  })
})
