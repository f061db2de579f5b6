import { createServer, type Server } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { defineSite, html, page as pageType, widget } from '../../cms/src/index.ts'
import { freePort } from '../../cms/test/free-port.ts'
import { describeEditor } from './editor.ts'

const [port, frontPort] = [await freePort(), await freePort()]
const HERE = `http://127.0.0.1:${port}` as const
const FRONT = `http://127.0.0.1:${frontPort}` as const

const site = defineSite({
  editor: { origin: HERE, frontends: [FRONT] },
  types: [
    pageType('leaf', {
      fields: { add: { body: { type: 'area', label: 'Body', widgets: { quote: {} } } } },
      // `as`: an area of the page, as templates get it.
      render: ({ page }, scene) => scene.area(page?.body as never),
    }),
  ],
  widgets: [
    widget('quote', {
      label: 'Quotation',
      fields: { add: { words: { type: 'string', label: 'Words' } } },
      render: ({ words }) => html`<blockquote>${words}</blockquote>`,
    }),
  ],
  layout: (content) => html`<!doctype html><html lang="en"><title>A page</title>${content}</html>`,
})

/** Headers that a front end passes on, so that the editor may read its drafts. */
const READABLE = ['access-control-allow-origin', 'access-control-allow-credentials']

/** Passes pages of the service on, as the one who asks; all that they need is named from its own address. */
async function frontEnd({
  withScript = true,
  passes = READABLE,
}: {
  withScript?: boolean
  passes?: readonly string[]
}): Promise<Server> {
  const server = createServer(async ({ url = '/', headers }, answer) => {
    const page = await fetch(HERE + url, { headers: { cookie: headers.cookie ?? '' } })
    const script = withScript ? `<script src="${HERE}/admin/inside.js" defer></script>` : ''
    const text = (await page.text()).replace(/<script src="[^"]*inside\.js" defer><\/script>/, script)
    const passed = passes.map((name) => [name, page.headers.get(name) ?? ''])
    answer.writeHead(page.status, { 'content-type': 'text/html', ...Object.fromEntries(passed) }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(frontPort, '127.0.0.1', resolve))
  return server
}

describeEditor('editor: a front end beside the form', { site, port }, ({ service, desk, complaints }) => {
  let server: Server
  afterAll(() => server?.close())

  test('36 it is clicked, changed in place after a save, or loaded again, and the form goes on while it is down', async () => {
    const items = [{ _id: 'w1', type: 'quote', words: 'one' }]
    const values = { type: 'leaf', title: 'Ink', _targetId: '_home', _position: 0, body: { items } }
    const { body } = await service.editor.post('@cms/page', values, 'aposMode=draft')
    const { page, open } = await desk('editor')
    await open(`/pages/${body.aposDocId}`)
    const panel = page.getByRole('complementary', { name: 'Page' })
    await panel.getByRole('alert').getByText(`There is no answer from ${FRONT}/ink`).waitFor()
    server = await frontEnd({})
    await panel.getByRole('button', { name: 'Try again' }).click()
    const inPage = page.frameLocator('iframe[title=Page]')
    await inPage.locator('quire-inside').waitFor({ state: 'attached' })
    await inPage.getByText('one').click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await page.keyboard.press('End')
    await page.keyboard.type(' and more')
    await inPage.getByText('one and more').waitFor()
    const html = inPage.locator('html')
    await html.evaluate(() => Object.assign(globalThis, { isSame: true }))
    const isSame = () => html.evaluate(() => Reflect.get(globalThis, 'isSame') === true)
    const words = page.getByRole('textbox', { name: 'Words' })
    await words.fill('changed in place')
    await inPage.getByText('changed in place').waitFor()
    expect(await isSame()).toBe(true)
    const replace = async (next: () => Promise<Server>) => {
      server.close()
      server.closeAllConnections()
      server = await next()
    }
    await replace(() => frontEnd({ passes: [] }))
    await words.fill('loaded again')
    await inPage.getByText('loaded again').waitFor()
    expect(await isSame()).toBe(false)
    // The browser tells that the page may not be read, once.
    expect(complaints.splice(0).filter((one) => !/CORS policy/.test(one))).toEqual([])
    await replace(() => frontEnd({ withScript: false, passes: [] }))
    await panel.getByRole('button', { name: 'Load the page again' }).click()
    await panel.getByText('Parts of this page cannot be clicked').waitFor()
    await words.fill('something else')
    await inPage.getByText('something else').waitFor()
  })
})
