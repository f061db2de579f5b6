import axe from 'axe-core'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { openBrowser } from '../../cms/test/browser.ts'
import { sampledDatabases, type TestDatabases } from '../../cms/test/databases.ts'
import { makeUser, PASSWORD } from '../../cms/test/people.ts'
import { describeService, type Service, type ServiceOptions } from '../../cms/test/service.ts'
import { built } from './built.ts'

const WIDTH = 1280
const HEIGHT = 900
const PATIENCE_MS = 15_000

/** A person at a browser of their own. */
export interface Desk {
  readonly context: BrowserContext
  readonly page: Page
  /** Opens an address below `/admin`. */
  open(path: string): Promise<void>
}

interface Size {
  readonly width: number
  readonly height: number
}

/** What whole flows are tested by: the built editor, the real service, a real browser. */
export interface EditorTests {
  readonly service: Service
  /** A new browser profile in which somebody has signed in by the form; `role` is also the user name. */
  desk(role: 'contributor' | 'editor' | 'admin', size?: Size, timezoneId?: string): Promise<Desk>
  /** A new browser profile, without a session. */
  visitor(size?: Size, timezoneId?: string): Promise<Desk>
  /** Problems that a test expects are taken out by it: everything else in a console fails the test. */
  readonly complaints: string[]
}

/**
 * Tests of the editor in Chromium. A message on a console, a report of the content security policy or an exception
 * that no test expected fails.
 */
export function describeEditor(
  title: string,
  options: ServiceOptions & { readonly on?: readonly TestDatabases[] },
  tests: (editor: EditorTests) => void,
): void {
  const on = options.on ?? sampledDatabases(title)
  describeService(title, { timeout: 120_000, ...options, on }, (service) => {
    let browser: Browser
    const desks: BrowserContext[] = []
    const complaints: string[] = []
    beforeAll(async () => {
      const people = ['contributor', 'editor', 'admin'] as const
      const made = people.map((role) => makeUser(service.app, role, { role, title: `The ${role}` }))
      const [opened] = await Promise.all([openBrowser(), built(), ...made])
      browser = opened
    })
    afterAll(async () => {
      await browser?.close()
      expect(complaints).toEqual([])
    })
    const visitor = async (viewport: Size = { width: WIDTH, height: HEIGHT }, timezoneId?: string): Promise<Desk> => {
      const zone = timezoneId === undefined ? {} : { timezoneId }
      const context = await browser.newContext({ viewport, ...zone, baseURL: service.address, locale: 'en-GB' })
      context.setDefaultTimeout(PATIENCE_MS)
      desks.push(context)
      const page = await context.newPage()
      listen(page, complaints)
      return { context, page, open: async (path) => void (await page.goto(`/admin${path}`)) }
    }
    tests({
      service,
      complaints,
      visitor,
      desk: async (role, size, timezoneId) => {
        const desk = await visitor(size, timezoneId)
        await desk.open('')
        await signIn(desk.page, role)
        // What the first screen asks for belongs to no test.
        await desk.page.waitForLoadState('networkidle')
        return desk
      },
    })
  })
}

/** Signs in by the form that is on the page. */
export async function signIn(page: Page, name: string, password: string = PASSWORD): Promise<void> {
  await page.getByLabel('User name or e-mail').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

/** The description of a control, as those hear it who listen: why it is off. */
export function describedBy(control: Locator): Promise<string> {
  return control.evaluate((element) => {
    const ids = (element.getAttribute('aria-describedby') ?? '').split(' ')
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
  })
}

function listen(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning'
    // Browsers tell of each answer that is no success; what it means to people is on the page.
    if (isComplaint && !/^Failed to load resource/.test(message.text())) complaints.push(message.text())
  })
}

/**
 * Nothing on the page breaks a rule of WCAG 2.2, A and AA, that a program can check. A bar that stays in its place covers
 * what scrolls below it: how large a target is, is measured where it is seen whole. Pages in frames are the site's own.
 */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  // By the debugger, which the content security policy of the page does not bind.
  await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    // `as`: what the line above has made.
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    const { violations } = await run(document, { iframes: false, runOnly: { type: 'tag', values: tags } })
    const isSmall = async (selector: string) => {
      document.querySelector(selector)?.scrollIntoView({ block: 'center' })
      const again = await run(document, { iframes: false, runOnly: { type: 'rule', values: ['target-size'] } })
      return again.violations.some(({ nodes }) => nodes.some(({ target }) => target[0] === selector))
    }
    const complaints: string[] = []
    for (const { id, nodes } of violations) {
      for (const { html, target } of nodes) {
        if (id === 'target-size' && !(await isSmall(String(target[0])))) continue
        complaints.push(`${id}: ${html.slice(0, 200)}`)
      }
    }
    return complaints
  })
  expect({ where, found }).toEqual({ where, found: [] })
}

/** The same in both directions of writing. */
export async function expectAccessibleBothWays(page: Page, where: string): Promise<void> {
  const write = (direction: 'ltr' | 'rtl') =>
    page.evaluate((dir) => document.documentElement.setAttribute('dir', dir), direction)
  await expectAccessible(page, where)
  await write('rtl')
  await expectAccessible(page, `${where}, right to left`)
  await write('ltr')
}
