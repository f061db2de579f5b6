import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codeOf, importsOf, sources } from './sources.ts'

const SOURCE = resolve(import.meta.dirname, '../src')
const START = 'main.tsx'

const sheets = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))
const textOf = (sheet: string) => readFileSync(resolve(SOURCE, sheet), 'utf8')
const sheetsOfClass = Map.groupBy(
  sheets.flatMap((sheet) => [...textOf(sheet).matchAll(/\.(q-[\w-]+)/g)].map(([, name = '']) => ({ name, sheet }))),
  ({ name }) => name,
)

/** What a file loads with it: by plain imports, and of style sheets theirs. */
function plainly(file: string): readonly string[] {
  if (sheets.includes(file)) {
    return [...textOf(file).matchAll(/@import\s+["']([^"']+)["']/g)].map(([, to = '']) =>
      relative(SOURCE, resolve(SOURCE, dirname(file), to)),
    )
  }
  if (!sources.includes(file)) return []
  return importsOf(file).flatMap(({ to, isOfTypes, line }) => (isOfTypes || isLate(line) ? [] : to))
}
const isLate = (line: string) => line.includes('import(')
const later = (file: string) =>
  sources.includes(file) ? importsOf(file).flatMap(({ to, line }) => (isLate(line) ? to : [])) : []

/** All that is loaded with a file. */
function loadedWith(file: string): ReadonlySet<string> {
  const seen = new Set([file])
  for (const one of seen) for (const other of plainly(one)) seen.add(other)
  return seen
}

/** The parts of the editor that are loaded by themselves, with those that load them. */
function parts(): ReadonlyMap<string, ReadonlySet<string>> {
  const loaders = new Map<string, Set<string>>([[START, new Set()]])
  for (const [part] of loaders) {
    for (const next of [...loadedWith(part)].flatMap(later)) {
      loaders.set(next, (loaders.get(next) ?? new Set()).add(part))
    }
  }
  return loaders
}

/** What is there whenever a part is: its own files, and those that each of its loaders has. */
function thereWith(
  part: string,
  loaders: ReadonlyMap<string, ReadonlySet<string>>,
  below: readonly string[] = [],
): ReadonlySet<string> {
  const above = [...(loaders.get(part) ?? [])].filter((one) => one !== part && !below.includes(one))
  const [first = new Set<string>(), ...others] = above.map((one) => thereWith(one, loaders, [...below, part]))
  const common = [...first].filter((file) => others.every((files) => files.has(file)))
  return new Set([...loadedWith(part), ...common])
}

describe('editor: styles', () => {
  test('wherever a component is drawn, the rules of its classes are loaded', () => {
    const loaders = parts()
    const missing = [...loaders.keys()].flatMap((part) => {
      const there = thereWith(part, loaders)
      return [...loadedWith(part)]
        .filter((file) => file.endsWith('.tsx'))
        .flatMap((file) => classesOf(file).map((name) => ({ file, name })))
        .filter(({ name }) => sheetsOfClass.get(name)?.every(({ sheet }) => !there.has(sheet)))
        .map(({ file, name }) => `${part}: ${name} of ${file}`)
    })
    expect(loaders.size).toBeGreaterThan(10)
    expect(missing).toEqual([])
  })
})

function classesOf(file: string): string[] {
  return [...codeOf(file).matchAll(/(?<![\w-])q-[a-z][\w-]*/g)].map(([name]) => name)
}
