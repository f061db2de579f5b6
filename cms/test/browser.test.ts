import { afterEach, expect, test, vi } from 'vitest'
import { openBrowser } from './browser.ts'

afterEach(() => vi.unstubAllEnvs())

test('a real browser runs the scripts of a page, and draws it', async () => {
  const browser = await openBrowser()
  const page = await browser.newPage({ viewport: { width: 200, height: 100 } })
  await page.setContent('<p>Paper</p><script>document.querySelector("p").textContent += " boat"</script>')
  expect(await page.textContent('p')).toBe('Paper boat')
  expect((await page.screenshot()).subarray(1, 4).toString()).toBe('PNG')
  await browser.close()
})

test('a browser that is not there is a failure, never a reason to skip', async () => {
  vi.stubEnv('QUIRE_TEST_BROWSER', '/nowhere/chromium')
  await expect(openBrowser()).rejects.toThrow('/nowhere/chromium')
})
