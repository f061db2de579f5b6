import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { importedBy } from './library-imports.ts'

const require = createRequire(import.meta.url)
const FASTIFY = require.resolve('fastify').replace(/fastify\.js$/, 'lib/plugin-utils.js')

test('Fastify loads semver only to compare versions', () => {
  const semver = require(importedBy(FASTIFY, 'semver'))
  expect([semver.satisfies('5.12.8', '5.x'), semver.satisfies('5.12.8', '4.x')]).toEqual([true, false])
  expect(semver.gt('5.12.8', semver.coerce('5'))).toBe(true)
  expect(importedBy(import.meta.filename, 'semver')).toBe('semver')
})
