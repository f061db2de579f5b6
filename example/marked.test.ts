import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { elements } from '../cms/test/xml.ts'
import { type Serving, serve } from './command.ts'

const SITE = fileURLToPath(new URL('./site.ts', import.meta.url))
const READERS = 'https://lantern.example'
/** Pages that no sitemap names. */
const OTHERS = ['/articles?page=3', '/articles?section=essay', '/search?q=river', '/there-is-no-such-page']
const MARK = / (?:data-apos-widget|data-doc-id|data-field-id|data-quire-field)="[^"]*"/g
const AROUND = /<div data-apos-widget="[^"]*"[^>]* style="display:contents">/g
const EMPTY_AREA = /<div data-apos-area-newly-editable [^>]*><\/div>/g

let folder: string
let magazine: Serving
let key: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-marked-'))
  magazine = await serve(folder, SITE, { LANTERN_URL: READERS })
  key = (await readFile(join(folder, 'data/admin-key'), 'utf8')).trim()
}, 60_000)
afterAll(async () => {
  await magazine.stop()
  await rm(folder, { recursive: true })
})

const get = async (path: string, query = '', isKnown = false) => {
  const address = magazine.address + path + (query === '' ? '' : `${path.includes('?') ? '&' : '?'}${query}`)
  const response = await fetch(address, { headers: isKnown ? { authorization: `ApiKey ${key}` } : {} })
  return { text: await response.text(), caching: response.headers.get('cache-control') }
}

/** A page without its marks, and without what tells elements around widgets from others. */
function unmarked(text: string): string {
  const plain = [AROUND, EMPTY_AREA, MARK, /<\/div>/g, /<script src="[^"]*inside\.js" defer><\/script>$/]
  return plain.reduce((rest, one) => rest.replace(one, ''), text).replaceAll(/\s*([<>])\s*/g, '$1')
}

test('§11.4 every page of the magazine is as it was, but for drafts that are edited', async () => {
  const { text: map } = await get('/sitemap.xml')
  const listed = elements(map, 'loc').map(({ text }) => text.slice(READERS.length))
  expect(listed.length).toBeGreaterThan(50)
  let [marks, fields] = [0, 0]
  for (const path of [...listed, ...OTHERS]) {
    const [visitor, sent] = [await get(path), await get(path, 'aposEdit=1')]
    expect({ path, ...sent }).toEqual({ path, ...visitor })
    const [published, edited] = [await get(path, '', true), await get(path, 'aposEdit=1', true)]
    expect({ path, ...edited }).toEqual({ path, ...published })
    const [draft, marked] = [
      await get(path, 'aposMode=draft', true),
      await get(path, 'aposMode=draft&aposEdit=1', true),
    ]
    expect(draft.text).not.toMatch(/data-apos-(?:widget="|area)|data-quire-field|inside\.js/)
    expect({ path, text: unmarked(marked.text) }).toEqual({ path, text: unmarked(draft.text) })
    expect([edited.caching, marked.caching]).toEqual(['no-store', 'no-store'])
    marks += marked.text.match(/data-apos-widget="/g)?.length ?? 0
    fields += marked.text.match(/data-quire-field="/g)?.length ?? 0
  }
  expect(marks).toBeGreaterThan(100)
  expect(fields).toBeGreaterThan(50)
}, 120_000)
