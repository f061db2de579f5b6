import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { oldGrowth } from './small-start.ts'

const MODULE = JSON.stringify(new URL('./small-start.ts', import.meta.url))
/** This bit of what V8 says of a function: it is compiled for speed. */
const OPTIMIZED = 1 << 3
/** Says whether a function that is called a lot runs as it is compiled for speed, when so much of the start is over. */
const START = `
  import { mock } from 'node:test'
  mock.timers.enable({ apis: ['setTimeout'] })
  const { startSmall } = await import(${MODULE})
  const add = (values) => values.reduce((sum, value) => sum + value, 0)
  const isCompiled = () => {
    for (let time = 0; time < 200_000; time += 1) add([time, 1, 2])
    return (%GetOptimizationStatus(add) & ${OPTIMIZED}) !== 0
  }
  const end = startSmall()
  const seen = [isCompiled()]`

function started(rest: string) {
  const program = `${START}\n${rest}\nconsole.log(seen.join())`
  const args = ['--no-warnings', '--allow-natives-syntax', '--input-type=module', '--eval', program]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { stdout, stderr }
}

test('code is compiled once the start has ended; V8 knows all flags of it, in the version of Node.js that runs it', () => {
  expect(started('end(); seen.push(isCompiled())')).toEqual({ stdout: 'false,true\n', stderr: '' })
})

test('a long start is compiled, too', () => {
  expect(started('mock.timers.tick(2000); seen.push(isCompiled())')).toEqual({ stdout: 'false,true\n', stderr: '' })
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
