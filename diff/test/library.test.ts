import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { Parser } from 'htmlparser2'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { snippetsOf } from '../../docs/snippets.ts'
import * as diff from '../src/index.ts'

const SOURCE = resolve(import.meta.dirname, '../src')
const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
/** The folders, lowest first: a file imports its own folder or a lower one. */
const FOLDERS = ['words', 'rich-text', 'marking', '.']

const imports = sources.flatMap((file) => {
  const text = readFileSync(join(SOURCE, file), 'utf8')
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, to = '']) => ({ file, to }))
})

test('it imports nothing but its own files, and downwards', () => {
  expect(imports.filter(({ to }) => !/^\.\.?\/.*\.ts$/.test(to))).toEqual([])
  const upwards = imports.filter(({ file, to }) => {
    const [from, target] = [dirname(file), dirname(join(dirname(file), to))].map((name) => FOLDERS.indexOf(name))
    return from === undefined || target === undefined || target < 0 || target > from
  })
  expect(upwards).toEqual([])
})

test('it runs where there is neither Node.js nor a DOM', async () => {
  const build = await rolldown({ input: join(SOURCE, 'index.ts'), platform: 'browser' })
  const { output } = await build.generate({ format: 'iife', name: 'quireDiff' })
  expect(output).toHaveLength(1)
  const library: typeof diff = runInNewContext(`${output[0].code}; quireDiff`)
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
  const [older, newer] = ['One two 東京は three.', 'One 東京は four.']
  expect(plain(library.diffTexts(older, newer))).toEqual(diff.diffTexts(older, newer))
  const read: diff.HtmlReader = (html, { open, text, close }) => {
    open?.('p', {}, '<p>')
    text?.(html.replace(/<\/?p>/g, ''))
    close?.('p')
    return true
  }
  const args = [`<p>${older}</p>`, `<p>${newer}</p>`] as const
  expect(plain(library.compareRichText(...args, read))).toEqual(diff.compareRichText(...args, read))
  const options = { read, clean: (html: string) => html }
  expect(library.markRichText(...args, options)).toBe(diff.markRichText(...args, options))
})

test('the README shows what it returns', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const blocks = snippetsOf(readme).map(({ text }) => text.replaceAll(/^import .*\n/gm, '').trim())
  const reader = blocks.find((block) => block.startsWith('const read'))?.replace(': HtmlReader', '')
  const calls = blocks.filter((block) => block.includes('\n// '))
  expect(calls).toHaveLength(4)
  const scope = { Parser, ...diff }
  for (const call of calls) {
    const [code, ...shown] = call.split('\n// ')
    const run = new Function(...Object.keys(scope), `${reader}\nreturn [${code}, ${shown.join('\n')}]`)
    const [real, expected] = run(...Object.values(scope))
    expect(real, code).toEqual(expected)
  }
})
