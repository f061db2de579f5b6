import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../src/base/json.ts'
import type { SiteDeclaration } from '../src/model/compile/site-options.ts'
import { openBrowser } from './browser.ts'
import { testDatabases } from './databases.ts'
import { jpeg, upload } from './media.ts'
import { isWhole, sample, some } from './sample.ts'
import { type Service, startService } from './service.ts'
import { xssLayouts, xssSite } from './xss-site.ts'
import { STYLES, URLS } from './xss-values.ts'
import { SVGS, VECTORS } from './xss-vectors.ts'
import { type Watched, watch } from './xss-watch.ts'

// Everything that people can write, drawn in every way there is, and opened in a real browser that nothing protects.

const FRONT_KEY = 'front-key-'.padEnd(40, 'x')
const TEMPLATES = ['drawn', 'filed', 'defaults'] as const

let browser: Browser
let service: Service
let watched: Watched
let svgs: string[]

const TITLES = ['</title></style></script></pre><svg onload=pwn()>', '"><img src=x onerror=pwn()>']
const titles = sample(TITLES, 1)

// A text with NUL is refused.
const writable = VECTORS.filter((words) => !words.includes('\u0000'))
const texts = sample(writable, 20)

beforeAll(async () => {
  service = await start(xssSite)
  browser = await openBrowser()
  watched = await watch(browser, service.address)
  await writeEverything()
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

async function start(site: SiteDeclaration): Promise<Service> {
  const [databases] = testDatabases
  if (databases === undefined) throw new Error('There is no database.')
  return await startService(databases, { site, frontKey: FRONT_KEY, development: true })
}

/** Writes a document; values that their fields refuse are left out of it. */
async function written(type: string, document: JsonObject, { editor } = service): Promise<JsonObject> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { status, body } = await editor.post(type, document)
    if (status === 200) return body
    const { errors } = (body as { data: { errors?: { path: string }[] } }).data
    if (!errors?.length) throw new Error(JSON.stringify(body))
    for (const { path } of errors) leaveOut(document, path.split('.'))
  }
  throw new Error(`No ${type} could be written.`)
}

function leaveOut(value: unknown, [step = '', ...rest]: readonly string[]): void {
  // `as`: a path leads through objects, lists and areas.
  const given = value as { [name: string]: unknown }
  const holder = Array.isArray(given.items) ? (given.items as unknown as typeof given) : given
  if (rest.length > 0) leaveOut(holder[step], rest)
  else delete holder[step]
  if (step === 'linkHref') holder.linkTo = 'none'
}

/** The fields of the site with one vector each; `number` chooses those of the narrower fields. */
function fieldsWith(words: string, number: number): JsonObject {
  const one = (list: readonly string[]) => list[number % list.length] ?? ''
  return { words, link: one(URLS), colour: one(STYLES), mail: `a@b.example${words}`, lines: [{ line: words }] }
}

function widgetsWith(
  words: string,
  number: number,
  { images, files }: { images: string[]; files: string[] },
): JsonObject[] {
  const fields = fieldsWith(words, number)
  const _id = images[number % images.length] ?? ''
  const link = { linkTo: '_url', linkHref: String(fields.link), linkHrefTitle: words, linkTarget: ['_blank'] }
  return [
    { type: 'typed', ...fields },
    { type: 'file', ...fields },
    { type: 'plain', ...fields },
    { type: '@cms/rich-text', content: words },
    {
      type: '@cms/rich-text',
      content: `<p title="${words}"><a href="${words}" target="${words}" name="${words}">${words}</a></p>`,
    },
    { type: '@cms/image', _image: [{ _id }], caption: words, ...link },
    { type: '@cms/file', _file: [{ _id: files[number % files.length] ?? '' }] },
  ]
}

async function writeEverything(): Promise<void> {
  const picture = await upload(service, 'editor', await jpeg(40, 20))
  const answers: JsonObject[] = []
  for (const svg of SVGS) answers.push((await upload(service, 'editor', svg, 'drawing.svg')).body as JsonObject)
  svgs = answers.flatMap(({ _url }) => (typeof _url === 'string' ? [_url] : []))
  const attachments = [picture.body, ...answers.filter(({ _id }) => _id !== undefined)]
  const images: string[] = []
  const files: string[] = []
  for (const [number, { _id }] of attachments.entries()) {
    const words = writable[(number * 7) % writable.length] ?? ''
    const piece = { title: words, alt: words, credit: words, creditUrl: URLS[number] ?? '', attachment: { _id } }
    images.push(String((await written('@cms/image', { ...piece })).aposDocId))
    files.push(String((await written('@cms/file', { title: words, attachment: { _id } })).aposDocId))
  }
  const items = () => texts.flatMap((words, number) => widgetsWith(words, number, { images, files }))
  for (const type of TEMPLATES) await page(type, `${type} ${VECTORS[12]}`, { body: { items: items() } })
  await page('drawn', 'unsafe', { body: { items: writable.map((words) => ({ type: 'unsafe', words })) } })
  await page('things', 'things', {})
  await page('labels', 'labels', {})
  for (const [number, words] of some(texts, isWhole ? 30 : 6).entries()) {
    const { _id } = await written('label', { title: words })
    await written('thing', { title: words, ...fieldsWith(words, number), _labels: [{ _id: String(_id) }] })
  }
}

const page = (type: string, title: string, fields: JsonObject) =>
  written('@cms/page', {
    type,
    title,
    slug: `/${title.split(' ')[0]}`,
    _targetId: '_home',
    _position: 'lastChild',
    ...fields,
  })

async function opened(path: string): Promise<string[]> {
  const response = await watched.page.goto(service.address + path)
  expect(response?.headers()['content-type']).toContain('text/html')
  return await watched.findings()
}

async function read(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return await fetch(service.address + path, { headers })
}

async function answer(path: string): Promise<JsonObject> {
  return (await (await read(`/api/v1/${path}`)).json()) as JsonObject
}

describe('§4.2b nothing that people write runs in a browser', () => {
  test('the corpus is large, and a template that trusts what people write is caught by it', async () => {
    expect(writable.length).toBeGreaterThan(200)
    for (const words of VECTORS.filter((one) => !writable.includes(one))) {
      expect(await service.editor.post('label', { title: words })).toMatchObject({ status: 400 })
    }
    const findings = await opened('/unsafe')
    expect(findings).toContain('a script that ran')
    expect(findings).toContain('asked for https://evil.example')
    for (const kind of ['a handler ', 'an address ', 'an element ', 'a style ']) {
      expect(
        findings.find((one) => one.startsWith(kind)),
        kind,
      ).toBeDefined()
    }
  })

  test.each(TEMPLATES)('as a whole page by the template of %s', async (type) => {
    expect(await opened(`/${type}`)).toEqual([])
    expect(await watched.page.locator('section').count()).toBe(2 * texts.length)
  })

  test.each(Object.entries(xssLayouts))('as whole pages in %s, and as failures of templates', async (_name, site) => {
    const other = await start(site)
    const seen = await watch(browser, other.address)
    const items = some(texts, 20).map((words) => ({ type: 'typed', words }))
    const place = { _targetId: '_home', _position: 'lastChild' }
    for (const [number, title] of titles.entries()) {
      for (const type of ['defaults', 'filed', 'failing']) {
        const slug = `/${type}-${number}`
        const page = { type, title, slug, ...(type === 'failing' ? {} : { body: { items } }), ...place }
        await written('@cms/page', page, other)
        const response = await seen.page.goto(`${other.address}${slug}?q=${encodeURIComponent(title)}`)
        expect(response?.status()).toBe(type === 'failing' ? 500 : 200)
        expect(await seen.findings()).toEqual([])
        expect(await seen.page.locator('section').count()).toBe(type === 'failing' ? 0 : items.length)
        expect(await seen.page.textContent('html')).toContain(title)
      }
    }
    await other.stop()
  })

  test('texts are shown as they were written', async () => {
    await opened('/drawn')
    const shown = await watched.page.locator('[data-text]').allTextContents()
    const body = await answer('@cms/page?all=1')
    const stored = (body._children as JsonObject[])
      .filter(({ slug }) => slug === '/drawn')
      .flatMap(({ body }) => (body as { items: JsonObject[] }).items)
      .filter(({ type }) => type === 'typed' || type === 'file')
    expect(shown).toEqual(stored.map(({ words }) => asParsed(String(words))))
  })

  test.each(TEMPLATES)('as the part that is refreshed, put into a page: %s', async (type) => {
    const fragment = await (await read(`/${type}?aposRefresh=1`)).text()
    expect(fragment).not.toContain('<html')
    expect(await watched.show(fragment)).toEqual([])
  })

  test.each(TEMPLATES)('as a draft whose parts say where they come from: %s', async (type) => {
    const headers = { authorization: 'ApiKey key-editor' }
    const fragment = await (await read(`/${type}?aposRefresh=1&aposMode=draft&aposEdit=1`, headers)).text()
    expect(fragment.match(/ data-apos-widget="/g)?.length).toBeGreaterThan(texts.length)
    expect(await watched.show(fragment)).toEqual([])
  })

  test('as areas that the interface draws', { timeout: 120_000 }, async () => {
    const body = await answer('@cms/page?all=1&render-areas=1')
    const rendered = JSON.stringify(body).match(/"_rendered":"(?:[^"\\]|\\.)*"/g) ?? []
    expect(rendered.length).toBeGreaterThanOrEqual(TEMPLATES.length)
    for (const { slug, body: area } of body._children as JsonObject[]) {
      if (slug === '/unsafe' || !area) continue
      expect(await watched.show((area as { _rendered: string })._rendered)).toEqual([])
    }
  })

  test('as widgets that are drawn before they are saved', async () => {
    const body = await answer('@cms/page?all=1')
    const page = (body._children as JsonObject[]).find(({ slug }) => slug === '/drawn')
    const drawn: string[] = []
    for (const words of some(texts, 20)) {
      for (const widget of [
        { type: 'typed', words },
        { type: 'file', words },
        { type: '@cms/rich-text', content: words },
      ]) {
        const sent = { _docId: page?._id, areaFieldId: 'doc.drawn.body', type: widget.type, widget }
        const response = await fetch(`${service.address}/api/v1/@cms/area/render-widget`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: 'ApiKey key-editor' },
          body: JSON.stringify(sent),
        })
        const text = await response.text()
        expect({ status: response.status, text }).toMatchObject({ status: 200 })
        drawn.push(text)
      }
    }
    expect(await watched.show(drawn.join('\n'))).toEqual([])
  })

  test('as data of an external front end, whose rich text is put into its pages', async () => {
    const headers = { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY }
    const response = await read('/drawn', headers)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const data = (await response.json()) as JsonObject & { page: { body: { items: JsonObject[] } } }
    const contents = data.page.body.items.flatMap(({ content }) => (typeof content === 'string' ? [content] : []))
    expect(contents.length).toBeGreaterThan(texts.length)
    expect(await watched.show(contents.join('\n'))).toEqual([])
    expect(
      await watched.show(['prependHead', 'appendHead', 'prependBody', 'appendBody'].map((slot) => data[slot]).join('')),
    ).toEqual([])
  })

  test('as a list of pieces with filters, and as pieces', { timeout: 120_000 }, async () => {
    expect(await opened('/things')).toEqual([])
    expect(await opened('/labels')).toEqual([])
    const body = await answer('thing?perPage=50')
    for (const { _url } of body.results as JsonObject[]) expect(await opened(String(_url))).toEqual([])
    const labels = await answer('label?perPage=50')
    for (const { _url } of labels.results as JsonObject[]) expect(await opened(String(_url))).toEqual([])
  })

  test('as the address of a page, found or not', { timeout: 180_000 }, async () => {
    for (const words of sample(VECTORS, 3)) {
      const text = encodeURIComponent(words.replaceAll('\u0000', ''))
      expect(await opened(`/nothing-here-${text}?q=${text}&${text}=1`), words).toEqual([])
      expect(await opened(`/things?q=${text}&words=${text}`), words).toEqual([])
    }
  })

  test('as SVG files: opened, as an image, and within a page', async () => {
    expect(svgs.length).toBeGreaterThan(SVGS.length / 2)
    expect(await watched.show(svgs.map((url) => `<img src="${url}">`).join(''))).toEqual([])
    for (const url of sample(svgs, 5)) {
      const response = await read(url)
      expect(response.headers.get('content-disposition')).toContain('attachment')
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
      const markup = await response.text()
      expect(await watched.show(markup)).toEqual([])
      expect(await watched.open(markup, 'image/svg+xml')).toEqual([])
    }
  })
})

/** What a parser makes of a text: line breaks are one character. */
function asParsed(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
