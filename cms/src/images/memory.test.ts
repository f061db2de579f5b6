import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Megabytes of a process that works on everything hostile, 16 uploads at a time: the caps on one image, and Node. */
const MOST_MEGABYTES = 700

test('§4.3 hostile files leave the process alive and its memory bounded', { timeout: 120_000 }, async () => {
  const program = join(import.meta.dirname, '../../test/hostile-child.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 100_000 })
  const { refused, kept, megabytes } = JSON.parse(stdout) as { refused: number; kept: number; megabytes: number }
  expect(refused).toBeGreaterThan(60)
  expect(kept).toBeGreaterThan(60)
  expect(megabytes).toBeLessThan(MOST_MEGABYTES)
})
