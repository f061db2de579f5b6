import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCES = globSync('{cms,client,diff,editor,create}/{src,build,test}/**/*.{ts,tsx}', { cwd: ROOT })
/** Types that are called by what happened to a thing, and not by what it is. */
const PARTICIPLES =
  /^\s*(?:export )?(?:type|interface|class) (Asked|Known|Given|Wanted|Found|Shown|Told|Placed|Gathered|Noted)(?= |<)/gm
/** Docstrings that can be understood only with the one before them, or that name nothing. */
const OPENINGS = /\/\*\*\s+(?:\* )?(The same\b|What\b)[^\n]*/g
/** A type of the interface in process: sites name it. */
const PUBLISHED = ['cms/src/model/declared/shown.ts: Shown']

function matchesOf(pattern: RegExp, files: readonly string[]): string[] {
  return files.flatMap((file) =>
    [...readFileSync(resolve(ROOT, file), 'utf8').matchAll(pattern)].map(([, match]) => `${file}: ${match}`),
  )
}

test('types are called by what they are', () => {
  expect(SOURCES.length).toBeGreaterThan(1_000)
  expect(matchesOf(PARTICIPLES, SOURCES)).toEqual(PUBLISHED)
})

test('docstrings say what a thing is or does by themselves', () => {
  const isTest = (file: string) => file.includes('.test.') || /\/(test|test-[^/]*)\b/.test(file)
  const files = SOURCES.filter((file) => !isTest(file))
  expect(files.length).toBeGreaterThan(1_000)
  expect(matchesOf(OPENINGS, files)).toEqual([])
})
