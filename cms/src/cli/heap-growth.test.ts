import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { oldGrowth } from './heap-growth.ts'

const START = `
  const growth = await import(${JSON.stringify(new URL('./heap-growth.ts', import.meta.url))})
  growth.keepHeapSmall()
  growth.boundHeapGrowth()
  console.log('started')`

test('V8 knows all flags that a start sets, in the version of Node.js that runs it', () => {
  const args = ['--no-warnings', '--input-type=module', '--eval', START]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ stdout, stderr }).toEqual({ stdout: 'started\n', stderr: '' })
})

test('the heap may grow by 32 MB or two fifths, in steps: V8 gets the same flags at each start', () => {
  const MB = 1024 * 1024
  expect(oldGrowth(22 * MB)).toBe(oldGrowth(26 * MB))
  expect(oldGrowth(24 * MB)).toBeCloseTo(1.35)
  for (const used of [10, 20, 30, 45, 60, 79]) {
    const grown = oldGrowth(used * MB) * used
    expect(grown).toBeGreaterThan(25)
    expect(grown).toBeLessThan(41)
  }
  for (const used of [100, 1000]) expect(oldGrowth(used * MB)).toBe(0.4)
})
