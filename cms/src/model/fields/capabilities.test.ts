import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fieldTypes } from './index.ts'

const SOURCE = join(import.meta.dirname, '../..')
const NAMES = [...fieldTypes.keys()].join('|')
/** `field.type.name === 'area'`, `declared.type !== 'area'`, `LIST.includes(field.type.name)`. */
const COMPARES = new RegExp(
  [
    `\\btype\\??\\.name\\s*[!=]==\\s*['"](?:${NAMES})['"]`,
    `(?<!typeof )\\b(?:field|declared)\\.type\\s*[!=]==\\s*['"](?:${NAMES})['"]`,
    'field\\.type\\.name\\.(?:startsWith|endsWith|match)|[A-Z]\\.includes\\((?:field\\.)?type\\.name\\)',
  ].join('|'),
)

test('what a field type can do it says itself: no other code compares its name', () => {
  const files = globSync('**/*.ts', { cwd: SOURCE }).filter(
    (file) => !file.startsWith('model/fields/') && !file.endsWith('.test.ts'),
  )
  expect(files.length).toBeGreaterThan(100)
  const comparing = files.flatMap((file) =>
    readFileSync(join(SOURCE, file), 'utf8')
      .split('\n')
      .filter((line) => COMPARES.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(comparing).toEqual([])
})

test('the names of the properties of a field are asked for in one place', () => {
  const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !file.endsWith('.test.ts'))
  const asking = files.filter((file) => /property\??\.names\(/.test(readFileSync(join(SOURCE, file), 'utf8')))
  expect(asking).toEqual(['model/values/walk.ts'])
})
