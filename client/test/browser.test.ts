import { readFile } from 'node:fs/promises'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../../cms/test/browser.ts'
import { describeService } from '../../cms/test/service.ts'
import { inPackage } from '../build/paths.ts'
import { createClient } from '../src/index.ts'
import { site } from './site.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>

async function bundled(): Promise<string> {
  const build = await rolldown({ input: inPackage('test/in-browser.ts'), platform: 'browser' })
  const { output } = await build.generate({ format: 'iife' })
  await build.close()
  return output[0].code
}

const PICTURE = new URL('../../example/pictures/old-town.jpg', import.meta.url)

describeService('client: in Chromium', { site, isLong: true }, (service) => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
    const users = createClient<typeof site>({ url: service.address, key: 'key-admin' }).type('@cms/user')
    await users.create({ title: 'Ann', username: 'ann', password: 'correct horse battery', role: 'editor' })
  })
  afterAll(() => browser.close())

  test('editor §14 a page of the service signs in, writes, uploads with progress and signs out', async () => {
    const page = await browser.newPage()
    await page.route('**/empty', (route) => route.fulfill({ contentType: 'text/html', body: '<input type="file">' }))
    await page.goto(`${service.address}/empty`)
    await page.setInputFiles('input', { name: 'town.jpg', mimeType: 'image/jpeg', buffer: await readFile(PICTURE) })
    await page.addScriptTag({ content: await bundled() })
    expect(await page.evaluate('work()')).toEqual({
      who: 'ann',
      title: 'Ink',
      uploaded: 'town',
      isTold: true,
      cancelled: 'AbortError',
      after: null,
    })
    await page.close()
  })
})
