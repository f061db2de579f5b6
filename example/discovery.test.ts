import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { elements } from '../cms/test/xml.ts'
import { type Serving, serve } from './command.ts'

const SITE = fileURLToPath(new URL('./site.ts', import.meta.url))
const URL_OF_READERS = 'https://lantern.example'

let folder: string
let magazine: Serving
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-lantern-'))
  magazine = await serve(folder, SITE, { LANTERN_URL: URL_OF_READERS })
}, 60_000)
afterAll(async () => {
  await magazine.stop()
  await rm(folder, { recursive: true })
})

const get = async (path: string) => {
  const response = await fetch(magazine.address + path)
  const text = await response.text()
  expect({ path, status: response.status }).toEqual({ path, status: 200 })
  return text
}

test('§4.6 the sitemap of the magazine leads to its pages in both languages', async () => {
  const urls = elements(await get('/sitemap.xml'), 'loc').map(({ text }) => text)
  expect(urls).toContain(`${URL_OF_READERS}/articles/the-ferry-that-waits-for-bread`)
  expect(urls).toContain(`${URL_OF_READERS}/fr/articles/le-bac-qui-attend-le-pain`)
  for (const url of urls) await get(url.slice(URL_OF_READERS.length))
  expect(await get('/robots.txt')).toContain(`Sitemap: ${URL_OF_READERS}/sitemap.xml`)
})

test('§4.6 the feed of the magazine tells of articles with their authors and pictures', async () => {
  expect(await get('/articles')).toContain(`href="${URL_OF_READERS}/articles/rss.xml"`)
  const text = await get('/articles/rss.xml')
  expect(elements(text, 'item')).toHaveLength(20)
  const images = elements(text, 'enclosure')
  expect(images.length).toBeGreaterThan(5)
  expect(elements(text, 'dc:creator').length).toBeGreaterThan(19)
  for (const { attributes } of images.slice(0, 3)) {
    const response = await fetch(magazine.address + attributes.url?.slice(URL_OF_READERS.length))
    expect(Number(attributes.length)).toBe((await response.arrayBuffer()).byteLength)
  }
  expect(elements(await get('/fr/articles/atom.xml'), 'entry').length).toBeGreaterThan(0)
})
