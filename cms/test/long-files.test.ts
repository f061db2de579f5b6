import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LONG_FILES } from './long-files.ts'

it('the long files that runs take turns with are there', () => {
  expect(LONG_FILES.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([])
  expect(new Set(LONG_FILES).size).toBe(LONG_FILES.length)
})
