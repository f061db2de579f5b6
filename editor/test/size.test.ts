import { readdir, readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defineSite, piece } from 'quire-cms'
import { beforeAll, describe, expect, test } from 'vitest'
import { built } from './built.ts'
import { describeEditor } from './editor.ts'

const DIST = resolve(import.meta.dirname, '../dist')
const KB = 1024
/** JavaScript and CSS, compressed, until lists and forms work; and with rich text. */
const FORM_BYTES = 150 * KB
const RICH_TEXT_BYTES = 245 * KB
/** The script in the pages of drafts, compressed. */
const INSIDE_BYTES = 5 * KB
/** All files of the editor in the package. */
const ALL_BYTES = 3e6
const FIRST_LIST_REQUESTS = 8

/** A file of the build, as the manifest of Vite tells. */
interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

type Manifest = Readonly<Record<string, Chunk>>

/** The files that a browser loads for some chunks: those, what they import plainly, and the styles of all. */
function loadedFor(manifest: Manifest, names: readonly string[]): ReadonlySet<string> {
  const seen = new Set(names)
  for (const name of seen) for (const other of manifest[name]?.imports ?? []) seen.add(other)
  return new Set([...seen].flatMap((name) => [manifest[name]?.file ?? '', ...(manifest[name]?.css ?? [])]))
}

/** How many bytes are sent to a browser that takes gzip. */
async function sentBytes(files: Iterable<string>): Promise<number> {
  const sizes = [...files].map(async (file) => {
    const path = resolve(DIST, file)
    const { size } = await stat(`${path}.gz`).catch(() => stat(path))
    return size
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

describe('editor: size', () => {
  let manifest: Manifest
  let formChunks: readonly string[]
  beforeAll(async () => {
    await built()
    manifest = JSON.parse(await readFile(resolve(DIST, '.vite/manifest.json'), 'utf8'))
    formChunks = ['index.html', 'src/screens/document/document-screen.tsx']
  })

  test('lists and forms work after 150 KB', async () => {
    expect(Object.keys(manifest)).toEqual(expect.arrayContaining([...formChunks]))
    expect(await sentBytes(loadedFor(manifest, formChunks))).toBeLessThanOrEqual(FORM_BYTES)
  })

  test('rich text works after 245 KB', async () => {
    const richText = Object.keys(manifest).filter((name) => name.startsWith('src/rich-text/'))
    expect(await sentBytes(loadedFor(manifest, [...formChunks, ...richText]))).toBeLessThanOrEqual(RICH_TEXT_BYTES)
  })

  test('the script in the pages of drafts has at most 5 KB', async () => {
    expect(await sentBytes(['inside/inside.js'])).toBeLessThanOrEqual(INSIDE_BYTES)
  })

  test('all files of the editor have at most 3 MB in the package', async () => {
    const names = (await readdir(DIST, { recursive: true })).filter((name) => !name.startsWith('.vite'))
    const sizes = await Promise.all(names.map(async (name) => stat(resolve(DIST, name))))
    const bytes = sizes.reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0)
    expect(bytes).toBeLessThanOrEqual(ALL_BYTES)
  })
})

const site = defineSite({ types: [piece('article', {})] })

describeEditor('editor: requests', { site }, ({ service, desk }) => {
  test('the first list is there after 8 requests at most', async () => {
    await service.editor.post('article', { title: 'Ink' })
    const { page, open } = await desk('editor')
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url().replace(service.address, '')))
    await open('/content/article')
    await page.getByRole('link', { name: 'Ink' }).waitFor()
    expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(FIRST_LIST_REQUESTS)
  })
})
