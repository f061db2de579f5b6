import type { Browser, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { TOOLS } from '../../cms/src/model/terms/rich-text-tools.ts'
import { richTextPolicy, sanitize } from '../../cms/src/model/values/clean-rich-text.ts'
import { openBrowser } from '../../cms/test/browser.ts'
import { type Built, built, openPage } from './open-page.ts'

const STYLES = [
  { tag: 'p' },
  { tag: 'h2' },
  { tag: 'p', class: 'lead', label: 'Lead' },
  { tag: 'blockquote' },
  { tag: 'span', class: 'small', label: 'Small' },
]

/** A page with one rich text, which a test writes into as people do. */
export class RichTextDriver {
  readonly page: Page
  readonly files: Built
  readonly #browser: Browser
  readonly #problems: string[]

  private constructor(browser: Browser, page: Page, files: Built, problems: string[]) {
    this.#browser = browser
    this.page = page
    this.files = files
    this.#problems = problems
  }

  static async start(): Promise<RichTextDriver> {
    const files = await built('rich-text-page.ts')
    const browser = await openBrowser()
    const problems: string[] = []
    return new RichTextDriver(browser, await openPage(browser, files, problems), files, problems)
  }

  close(): Promise<void> {
    return this.#browser.close()
  }

  /** Fails where the browser had something to report. */
  expectNoProblems(): void {
    expect(this.#problems.splice(0)).toEqual([])
  }

  /** Opens a text, with all tools where none are named, and puts the caret at its end. */
  async open(html: string, toolbar: readonly string[] = TOOLS): Promise<void> {
    const given = { html, toolbar, styles: STYLES }
    await this.page.evaluate((options) => testPage.mount(options), given)
    await this.page.evaluate(() => testPage.text?.focus('end'))
  }

  async selectLastWord(): Promise<void> {
    await this.page.keyboard.press('Control+Shift+ArrowLeft')
    await this.frame()
  }

  /** Waits until the text has seen where the browser has put the caret. */
  async frame(): Promise<void> {
    await this.page.evaluate(() => new Promise(requestAnimationFrame))
  }

  /** What was to be saved last, all of which the service must keep. */
  async saved(toolbar: readonly string[] = TOOLS): Promise<string | undefined> {
    const html = await this.page.evaluate(() => testPage.changes.at(-1))
    const policy = richTextPolicy({ toolbar: TOOLS.filter((tool) => toolbar.includes(tool)), styles: STYLES }, [])
    if (html !== undefined) expect(sanitize(html, policy)).toBe(html)
    return html
  }

  /** A tool. */
  button(name: string): Locator {
    return this.page.getByRole('toolbar', { name: 'Text' }).getByRole('button', { name, exact: true })
  }

  async paste(type: string, data: string): Promise<void> {
    await this.page.evaluate(([kind, value]) => testPage.paste(kind, value), [type, data] as const)
  }
}
