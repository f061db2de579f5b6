import { expect, test } from 'vitest'
import { site } from '../../example/site.ts'
import { describeEditor } from './editor.ts'
import { held } from './held.ts'

describeEditor('editor: careless use', { site }, ({ service, desk, complaints }) => {
  const article = async (title: string): Promise<string> => {
    const { body } = await service.editor.post('article', { title, section: 'essay' }, 'aposMode=draft')
    return body.aposDocId
  }

  test('§11 editor 14 what was written into a document that somebody deleted meanwhile becomes a new one', async () => {
    const { page, open } = await desk('editor')
    const id = await article('Deleted meanwhile')
    await open(`/content/article/${id}`)
    const subtitle = page.getByRole('textbox', { name: 'Subtitle' })
    await subtitle.waitFor()
    expect((await service.admin.delete(`article/${id}:en:draft`)).status).toBe(200)
    await subtitle.fill('Not lost')
    await page
      .getByRole('status')
      .getByText(/^Not saved/)
      .waitFor()
    await expect.poll(() => subtitle.inputValue()).toBe('Not lost')
    await page.reload()
    await page.getByText('This document was deleted.').waitFor()
    await page.getByRole('button', { name: 'Make a new document of them' }).click()
    await page
      .getByRole('status')
      .getByText(/^Saved \d/)
      .waitFor()
    const { results } = (await service.editor.get('article', 'aposMode=draft&search=Deleted')).body
    expect(results).toMatchObject([{ title: 'Deleted meanwhile', subtitle: 'Not lost', section: 'essay' }])
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/content/article/${results[0].aposDocId}`)
    await open(`/content/article/${id}`)
    await page.getByText('Nothing was found').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  })

  test('§11 editor 2 addresses that name nothing say so', async () => {
    const { page, open } = await desk('editor')
    for (const path of [
      '/content/constructor',
      '/content/__proto__/new',
      '/content/toString/x',
      '/nothing',
      '/content/article/../..//evil.example',
    ]) {
      await open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    await open('/content/constructor')
    await page.getByText('There is nothing at this address.').waitFor()
    await open('/content/article?locale=constructor&f.apikey=x&f._ids=y')
    await page.getByRole('table', { name: 'Articles' }).waitFor()
    await open('/content/article/nothing')
    await page.getByText('Nothing was found').waitFor()
  })

  test('§11 editor 7 a press that is repeated does its work once', async () => {
    const { page, open } = await desk('editor')
    const id = await article('Pressed twice')
    await open(`/content/article/${id}`)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.postData() ?? '')
    })
    await page.getByRole('button', { name: 'Publish', exact: true }).dblclick()
    await page
      .getByText(/” is published\.$/)
      .first()
      .waitFor()
    expect(sent.filter((body) => !body.includes('check'))).toHaveLength(1)
    await open('/content/article')
    const link = page.getByRole('link', { name: 'New Article' })
    await link.dblclick()
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Made once')
    await page
      .getByRole('status')
      .getByText(/^Saved/)
      .waitFor()
    await page.goBack()
    await page.goForward()
    expect((await service.editor.get('article', 'aposMode=draft&slug=made-once')).body.total).toBe(1)
  })

  test('§11 editor 7 nothing is published when what goes along is not complete', async () => {
    const { page, open } = await desk('editor')
    const topic = (await service.editor.post('topic', { _incomplete: true }, 'aposMode=draft')).body.aposDocId
    const body = { title: 'With a topic', section: 'essay', _topics: [{ _id: topic }] }
    const id = (await service.editor.post('article', body, 'aposMode=draft')).body.aposDocId
    await open(`/content/article/${id}`)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish these, too?' })
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Nothing was published, because these are not complete yet: “No title”.').first().waitFor()
    expect((await service.anonymous.get(`article/${id}`)).status).toBe(404)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await dialog.getByRole('checkbox').uncheck()
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect.poll(async () => (await service.anonymous.get(`article/${id}`)).status).toBe(200)
  })

  test('§11 editor 7 what somebody else saved meanwhile is seen before it is published, or thrown away', async () => {
    const { page, open } = await desk('editor')
    const { body } = await service.editor.post('article', { title: 'Seen first', section: 'essay' })
    const id = body.aposDocId
    await service.editor.patch(`article/${id}:en:draft`, { subtitle: 'Mine' })
    await open(`/content/article/${id}`)
    const subtitle = page.getByRole('textbox', { name: 'Subtitle' })
    const region = page.getByRole('region', { name: 'Publishing' })
    await region.getByText('1 change').waitFor()
    for (const words of ['Not rea', 'Ready?']) {
      await service.admin.patch(`article/${id}:en:draft`, { subtitle: words })
      if (words === 'Ready?') {
        await region.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Throw changes away' }).click()
      } else await region.getByRole('button', { name: 'Publish', exact: true }).click()
      await expect.poll(() => subtitle.inputValue()).toBe(words)
      expect((await service.anonymous.get(`article/${id}`)).body.subtitle).toBe('')
      expect((await service.editor.get(`article/${id}:en:draft`)).body.subtitle).toBe(words)
    }
    await region.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect.poll(async () => (await service.anonymous.get(`article/${id}`)).body.subtitle).toBe('Ready?')
  })

  test('§11 editor 2 who goes back in the middle of a save loses nothing', async () => {
    const { page, open } = await desk('editor')
    const id = await article('Gone back')
    await open('/content/article')
    await page.getByRole('link', { name: 'Gone back' }).click()
    const { isThere, letGo } = await held(page, 'PATCH', '**/api/v1/article/**')
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('First words')
    await isThere
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('First words, and more')
    await page.goBack()
    letGo()
    await expect
      .poll(async () => (await service.editor.get(`article/${id}:en:draft`)).body.subtitle)
      .toBe('First words, and more')
    await page.getByRole('link', { name: 'Gone back' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Subtitle' }).inputValue()).toBe('First words, and more')
  })

  test('§11 editor 2 archived documents and singletons open, and errors of the service are told', async () => {
    const { page, open } = await desk('editor')
    const id = await article('Archived words')
    await service.editor.post(`article/${id}/archive`)
    await open(`/content/article/${id}`)
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('In the archive')
    await page
      .getByRole('status')
      .getByText(/^Saved \d/)
      .waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Restore' }).click()
    await expect
      .poll(async () => (await service.editor.get(`article/${id}:en:draft`)).body)
      .toMatchObject({ subtitle: 'In the archive', archived: false })
    await open('/content/@cms%2Fglobal')
    await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor()
    await page.goBack()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/content/article/${id}`)
    await open('/')
    await page.route('**/api/v1/**', (route) =>
      route.fulfill({ status: 500, json: { name: 'error', message: 'Broken.', data: {} } }),
    )
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Topics' }).click()
    await page.getByText('Broken.').first().waitFor()
    await page.unroute('**/api/v1/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'New Topic' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('§11 editor 3 long titles and many rows fit in 360 px', async () => {
    const { page, open } = await desk('editor')
    await page.setViewportSize({ width: 360, height: 700 })
    const id = await article('W'.repeat(400))
    for (const path of [`/content/article/${id}`, '/content/article', '/']) {
      await open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText('WWW').first().waitFor({ state: 'attached' })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect({ path, wide }).toEqual({ path, wide: 0 })
    }
  })
})
