import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../src/base/json.ts'
import { html, page, raw, widget } from '../src/index.ts'
import { defineSite, type SiteDeclaration } from '../src/model/compile/site.ts'
import { openBrowser } from './browser.ts'
import { sampledDatabases } from './databases.ts'
import { imagePiece } from './media.ts'
import { presetCases } from './preset-cases.ts'
import { sample } from './sample.ts'
import { type Service, startService } from './service.ts'
import { type StyleCase, WIDTHS } from './style-case.ts'
import { RULE_CASES } from './style-rule-cases.ts'
import { VALUE_CASES } from './style-value-cases.ts'

// What a real browser computes from saved styles: for visitors, who get a linked stylesheet, and for people who are
// signed in, for whom it stands in the page.

const READERS = ['visitor', 'editor'] as const
const TARGETS = ['site', 'widget'] as const

/** Values that are classes: of the body, or of a widget. */
const CLASSES = {
  add: {
    alignment: 'alignment',
    moods: { type: 'checkboxes', class: true, choices: ['is-loud', 'is-calm', 'is-cold'] },
    isWide: { type: 'boolean', class: 'is-wide' },
    isFlat: { type: 'boolean', class: 'is-flat' },
    theme: { type: 'select', class: true, choices: ['theme-light', 'theme-dark'], def: 'theme-dark' },
  },
  values: { alignment: 'apos-right', moods: ['is-loud', 'is-calm'], isWide: true, isFlat: false },
  names: ['apos-right', 'is-loud', 'is-calm', 'is-wide', 'theme-dark'],
} as const

const HOVER = {
  type: 'object',
  fields: { add: { link: { type: 'color', selector: ':hover', property: 'color' } } },
} as const

const CSS = `.frame{width:1000px}.frame b{display:block}.frame b:not(:has(i))::after{content:""}
.apos-right{text-align:right}.is-loud{font-style:italic}.is-flat{white-space:pre}`

const FIELD_CASES = [...VALUE_CASES, ...RULE_CASES]
const cases = [...presetCases({ _id: '', url: '' }), ...FIELD_CASES]

/** A site and widget types with the fields of all cases. */
function siteOfCases(): SiteDeclaration {
  const names = [...cases.map(({ name }) => name), 'classes', 'hovered']
  const styled = (name: string, add: object) =>
    // `as`: declarations are put together here.
    widget(name, { styles: { add: add as never }, render: () => html`<b><i>${name}</i></b>` })
  const own = [styled('classes', CLASSES.add), styled('hovered', { hovered: HOVER })]
  const widgets = [...own, ...cases.map(({ name, add }) => styled(name, add))]
  const main = { type: 'area', widgets: Object.fromEntries(names.map((name) => [name, {}])) } as const
  const home = page('@cms/home-page', {
    fields: { add: { main } },
    render: ({ page }, scene) => html`<style>${raw(CSS)}</style>
<div class="frame">${cases.map(({ name }) => html`<div class="${name}"><b><i>${name}</i></b></div>`)}<p class="hovered">Link</p></div>
<div class="frame">${scene.area(page.main)}</div>`,
  })
  const add = {
    ...Object.assign({}, ...cases.map(fieldsOfSite)),
    ...CLASSES.add,
    hovered: { ...HOVER, selector: '.hovered' },
    layoutGap: 'layoutGap',
  }
  return defineSite({ types: [home], widgets: widgets as never, styles: { add } })
}

/** The fields of a case for the elements of its class. */
function fieldsOfSite({ name, add }: StyleCase): JsonObject {
  const below = (selector: unknown) => (typeof selector === 'string' ? `.${name} ${selector}` : `.${name}`)
  return Object.fromEntries(
    Object.entries(add).map(([field, given]) => [field, { ...given, selector: below(given.selector) }]),
  )
}

/** Computed values of an element, by property. */
async function computed(page: Page, selector: string, names: readonly string[]): Promise<JsonObject> {
  // `as`: what the script makes.
  return (await page.evaluate(`(() => {
    const style = getComputedStyle(document.querySelector(${JSON.stringify(selector)}))
    return Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, style.getPropertyValue(name)]))
  })()`)) as JsonObject
}

describe.each(sampledDatabases('computed'))('§4.7 styles in a browser, on $name', (databases) => {
  let service: Service
  let browser: Browser
  let real: StyleCase[]

  beforeAll(async () => {
    service = await startService(databases, { site: siteOfCases() })
    browser = await openBrowser()
    const { _id, attachment } = await imagePiece(service)
    real = [...presetCases({ _id, url: new URL(attachment._urls.max, service.address).href }), ...FIELD_CASES]
    await save()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** Publishes the values of all cases: of the site, and of a widget for each. */
  async function save(): Promise<void> {
    const { editor } = service
    const hovered = { link: '#0a0b0c' }
    const values = Object.assign({}, ...real.map((one) => one.values), CLASSES.values, { hovered, layoutGap: 37 })
    const [styles] = (await editor.get('@cms/styles')).body.results
    expect(await editor.patch(`@cms/styles/${styles._id}`, values)).toMatchObject({ status: 200 })
    const items = [
      ...real.map(({ name, values }) => ({ ...values, type: name, _id: `w-${name}` })),
      { ...CLASSES.values, type: 'classes', _id: 'w-classes' },
      { type: 'hovered', _id: 'w-hovered', hovered },
    ]
    const { body: home } = await editor.get('@cms/page')
    expect(await editor.patch(`@cms/page/${home._id}`, { main: { items } })).toMatchObject({ status: 200 })
  }

  async function open(reader: (typeof READERS)[number], width: number): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width, height: 700 },
      ...(reader === 'editor' && { extraHTTPHeaders: { authorization: 'ApiKey key-editor' } }),
    })
    const page = await context.newPage()
    await page.goto(service.address)
    expect(await page.locator('link[rel=stylesheet]').count()).toBe(reader === 'visitor' ? 1 : 0)
    expect(await page.locator('#apos-styles-stylesheet').count()).toBe(reader === 'editor' ? 1 : 0)
    return page
  }

  const rootOf = (target: (typeof TARGETS)[number], name: string) =>
    target === 'site' ? `.frame > .${name}` : `[data-apos-widget-style-wrapper-for="w-${name}"]`

  const views = sample(WIDTHS, 1).flatMap((width) => READERS.map((reader) => ({ width, reader })))
  test.each(views)('$reader, screen of $width: all values that were saved', async ({ reader, width }) => {
    const page = await open(reader, width)
    for (const target of TARGETS) {
      const found: JsonObject = {}
      const wanted: JsonObject = {}
      for (const { name, expected } of real) {
        for (const [inner, properties] of Object.entries(expected instanceof Function ? expected(width) : expected)) {
          const selector = `${rootOf(target, name)} ${inner}`.trim()
          found[`${name} ${inner}`] = await computed(page, selector, Object.keys(properties))
          wanted[`${name} ${inner}`] = { ...properties }
        }
      }
      expect(found, target).toEqual(wanted)
    }
    await page.context().close()
  })

  test.each(READERS)('%s: classes of the body and of widgets, and what has a state', async (reader) => {
    const page = await open(reader, 800)
    const wrapper = rootOf('widget', 'classes')
    const classesOf = async (selector: string) => (await page.getAttribute(selector, 'class'))?.split(' ').toSorted()
    expect(await classesOf(wrapper)).toEqual(CLASSES.names.toSorted())
    expect(await classesOf('body')).toEqual([...CLASSES.names, 'kind-two'].toSorted())
    const look = { 'text-align': 'right', 'font-style': 'italic', 'white-space': 'normal' }
    for (const element of ['body', wrapper]) expect(await computed(page, element, Object.keys(look))).toEqual(look)
    expect(await computed(page, ':root', ['--apos-layout-gap'])).toEqual({ '--apos-layout-gap': '37px' })
    for (const target of TARGETS) {
      const element = rootOf(target, 'hovered')
      expect(await computed(page, element, ['color'])).toEqual({ color: 'rgb(0, 0, 0)' })
      await page.hover(element)
      expect(await computed(page, element, ['color'])).toEqual({ color: 'rgb(10, 11, 12)' })
    }
    await page.context().close()
  })
})
