import { expect, test } from 'vitest'
import { site } from '../../example/site.ts'
import { describedBy, describeEditor, expectAccessible, signIn } from './editor.ts'

describeEditor('editor: signing in', { site }, ({ service, visitor, desk }) => {
  test('§11 editor 3.3 each address shows the form first, then itself', async () => {
    const { page, open } = await visitor()
    await open('/content/article')
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await page.title()).toBe('Sign in · Lantern')
    await expectAccessible(page, 'Sign in')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByLabel('User name or e-mail').evaluate((input) => input === document.activeElement)).toBe(
      true,
    )
    await page.getByLabel('User name or e-mail').fill('editor')
    await page.getByLabel('Password', { exact: true }).fill('wrong password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('User name or password is not right.').waitFor()
    await expect.poll(() => page.getByLabel('User name or e-mail').inputValue()).toBe('editor')
    await expectAccessible(page, 'Sign in, refused')
    await signIn(page, 'editor')
    await page.getByRole('heading', { level: 1, name: 'Articles' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/admin/content/article')
    await expect.poll(() => page.getByRole('main').count()).toBe(1)
  })

  test('§11 editor 3.1 landmarks, and a link to the content', async () => {
    const { page } = await desk('editor')
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    expect(await page.getByRole('main').evaluate((main) => main === document.activeElement)).toBe(true)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Topics' }).click()
    const heading = page.getByRole('heading', { level: 1, name: 'Topics' })
    await heading.waitFor()
    expect(await heading.evaluate((one) => one === document.activeElement)).toBe(true)
    await expectAccessible(page, 'Topics')
  })

  test('§11 editor 3.3 whoever signs out is asked to sign in', async () => {
    const { page } = await desk('admin')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    const answer = await page.request.get(`${service.address}/api/v1/@cms/schema`)
    expect(answer.status()).toBe(401)
  })

  // The last: an address from which too many tries came waits as well.
  test('§11 editor 1 after too many wrong passwords it is told how long to wait', async () => {
    const { page, open } = await visitor()
    await open('')
    await page.getByLabel('User name or e-mail').fill('contributor')
    const button = page.getByRole('button', { name: 'Sign in' })
    const refused = page.getByText(/Too many tries\. Again in \d+:\d\d\./).first()
    await expect
      .poll(async () => {
        await page.getByLabel('Password', { exact: true }).fill('wrong password')
        await button.click()
        await page.getByRole('alert').getByText(/\S/).waitFor()
        return await refused.isVisible()
      })
      .toBe(true)
    const before = await refused.innerText()
    await expect.poll(() => refused.innerText()).not.toBe(before)
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
    expect(await describedBy(button)).toMatch(/^Too many tries/)
    await expectAccessible(page, 'Sign in, too often')
  })
})
