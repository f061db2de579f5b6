import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// Code, comments, test titles and documents cite the paragraphs of docs/reference as `§4.2`.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CITING = ['cms', 'diff', 'example', 'conformance', 'bench', 'docs']
const TEXTS = new Set(['.ts', '.js', '.md'])
const UNREADABLE =
  /\b(decisions? \d|decisions, [A-Z]|specification §?\d|(?<![\w-])(decisions|specification|versions|clients)\.md)/

/** All texts of the repository that people write, but this file, with their paths from the root. */
async function texts(): Promise<Map<string, string>> {
  const folders = CITING.map((name) => readdir(join(ROOT, name), { recursive: true, withFileTypes: true }))
  const entries = [await readdir(ROOT, { withFileTypes: true }), ...(await Promise.all(folders))].flat()
  const paths = entries
    .filter((entry) => entry.isFile() && TEXTS.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules') && path !== fileURLToPath(import.meta.url))
  const read = async (path: string) => [relative(ROOT, path), await readFile(path, 'utf8')] as const
  return new Map(await Promise.all(paths.map(read)))
}

/** Each line that a pattern finds, as `path:line: what was found`. */
function found(all: ReadonlyMap<string, string>, pattern: RegExp): { readonly place: string; readonly text: string }[] {
  return [...all].flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(pattern)].map((match) => ({ place: `${path}:${index + 1}`, text: match[1] ?? match[0] })),
      ),
  )
}

const all = await texts()
const reference = new Map([...all].filter(([path]) => path.startsWith(join('docs', 'reference'))))
const paragraphs = found(reference, /^#+ §(\d+(?:\.\d+)*b?) /g)

test('every paragraph of the reference stands there once', () => {
  const numbers = paragraphs.map(({ text }) => text)
  expect(numbers.length).toBeGreaterThan(50)
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
})

test('every paragraph that is cited is in the reference', () => {
  const known = new Set(paragraphs.map(({ text }) => text))
  const citations = found(all, /§ ?(\d+(?:\.\d+)*b?)/g)
  expect(citations.length).toBeGreaterThan(400)
  expect(citations.filter(({ text }) => !known.has(text)).map(({ place, text }) => `${place}: §${text}`)).toEqual([])
})

test('nothing is cited that is not in the repository', () => {
  expect(found(all, new RegExp(UNREADABLE, 'g')).map(({ place, text }) => `${place}: ${text}`)).toEqual([])
})

test('every file that a document links to is there', async () => {
  const links = found(new Map([...all].filter(([path]) => path.endsWith('.md'))), /\]\((?!https?:|#)([^)#]+)/g)
  const missing = await Promise.all(
    links.map(async ({ place, text }) => {
      const path = join(ROOT, place, '..', text)
      return (await readdir(join(path, '..'))).includes(path.split('/').at(-1) ?? '') ? [] : [`${place}: ${text}`]
    }),
  )
  expect(missing.flat()).toEqual([])
})

test('every file that ARCHITECTURE.md names is there', () => {
  const text = all.get('ARCHITECTURE.md') ?? ''
  const named = [...text.matchAll(/(?<![\w/.-])(?:[a-z]+\/)+[\w-]+\.ts\b/g)].map(([name]) => name)
  expect(named.length).toBeGreaterThan(30)
  const roots = ['cms/src', 'editor/src', '.'].map((root) => join(import.meta.dirname, '..', root))
  const exists = (name: string) => roots.some((root) => existsSync(join(root, name.replace(/^src\//, ''))))
  expect(named.filter((name) => !exists(name))).toEqual([])
})
