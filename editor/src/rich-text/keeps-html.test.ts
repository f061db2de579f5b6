import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TOOLS } from '../../../cms/src/model/terms/rich-text-tools.ts'
import { type RichTextPolicy, richTextPolicy, sanitize } from '../../../cms/src/model/values/clean-rich-text.ts'
import { openBrowser } from '../../../cms/test/browser.ts'
import { fuzzing, isWhole, seed } from '../../../cms/test/sample.ts'
import { randomNumbers, TextMaker } from '../../test/made-up-texts.ts'
import { built, openPage } from '../../test/open-page.ts'
import { docOf } from './from-html.ts'
import { htmlOfDoc } from './to-html.ts'

const styles = [
  { tag: 'p', class: 'lead big' },
  { tag: 'h2' },
  { tag: 'h3' },
  { tag: 'div', class: 'note' },
  { tag: 'span', class: 'lead' },
]
const policies = [TOOLS, ...TOOLS.map((tool) => [tool])].map((toolbar) => richTextPolicy({ toolbar, styles }, null))
const random = randomNumbers(seed)

let browser: Browser
let page: Page
const problems: string[] = []

beforeAll(async () => {
  browser = await openBrowser()
  page = await openPage(browser, await built('rich-text-page.ts'), problems)
})
afterAll(() => browser.close())

interface Stored {
  readonly html: string
  readonly policy: RichTextPolicy
}

/** Texts as the service stores them: half of them of all tools, the others of one. */
function storedTexts(count: number): readonly Stored[] {
  return Array.from({ length: count }, (_, index) => {
    const policy = policies[index % 2 === 0 ? 0 : index % policies.length] ?? richTextPolicy({}, null)
    return { html: clean(new TextMaker(policy, random).text(), policy), policy }
  })
}

function clean(html: string, policy: RichTextPolicy): string {
  return (sanitize(html, policy) ?? '').trim()
}

/** The text without the word, and without elements around it alone: it looks like what stands before it. */
function withoutWord(html: string): string {
  expect(html.split('Zebra')).toHaveLength(2)
  const around = /<(\w+)[^<>]*>Zebra<\/\1>/
  let text = html
  while (around.test(text)) text = text.replace(around, 'Zebra')
  return text.replace('Zebra', '')
}

test('§4.5 what was read is written as it was, whatever the policy of any tool lets through', () => {
  for (const { html, policy } of storedTexts(fuzzing(200).numRuns)) {
    const doc = docOf(html)
    doc.check()
    if (html !== '<p></p>') expect(clean(htmlOfDoc(doc), policy)).toBe(html)
  }
})

test('§4.5 everything else survives opening, a change in one place, and saving', async () => {
  for (const { html, policy } of storedTexts(isWhole ? 1000 : 60)) {
    const stored = clean(`${html}<p>The end.</p>`, policy)
    const place = Math.floor(random() * 1000)
    const saved = await page.evaluate(([text, at]) => testPage.typeInto(text, 'Zebra', at), [stored, place] as const)
    expect(withoutWord(clean(saved ?? '', policy))).toBe(stored)
  }
  expect(problems).toEqual([])
})

test('§4.5 a text that is only read is never written', async () => {
  for (const { html } of storedTexts(10)) {
    await page.evaluate((text) => testPage.mount({ html: text }), html)
    await page.getByRole('textbox', { name: 'Body' }).click()
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate(() => testPage.changes)).toEqual([])
  }
})

test('§4.5 a click on a link in a text leads nowhere', async () => {
  await page.evaluate(() => testPage.mount({ html: '<p>Read <a href="/elsewhere">this</a></p>' }))
  const isFollowed = await page.locator('[role=textbox] a').evaluate((link) => {
    return link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  })
  expect(isFollowed).toBe(false)
})
