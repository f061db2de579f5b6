import { expect, test } from 'vitest'
import { progress } from './progress.ts'

function shown(isTTY: boolean, steps: readonly [number, number][], columns?: number): string {
  let text = ''
  const show = progress('Indexing', { isTTY, ...(columns && { columns }), write: (part) => (text += part) })
  for (const [done, total] of steps) show(done, total)
  return text
}

test('§5 without a terminal progress is one plain line for each tenth', () => {
  const steps = Array.from({ length: 201 }, (_, done): [number, number] => [done, 200])
  expect(shown(false, steps).split('\n')).toHaveLength(12)
  expect(shown(false, steps)).toContain('Indexing: 50 %\n')
})

test('§5 on a terminal progress is redrawn in place and ends at 100 %', () => {
  const text = shown(true, [
    [0, 4],
    [2, 4],
    [4, 4],
  ])
  expect(text.match(/\r/g)).toHaveLength(3)
  expect(text).toMatch(/50 % \(2 of 4\)/)
  expect(text.endsWith('100 % (4 of 4)\n')).toBe(true)
})

test('§5 progress of nothing to do is 100 %', () => {
  expect(shown(false, [[0, 0]])).toBe('Indexing: 100 %\n')
})

test.each([20, 40, 60, 200])('§5 on a terminal of %i columns progress takes one line', (columns) => {
  const text = shown(true, [[123_456, 1_000_000]], columns)
  expect(text.length).toBeLessThanOrEqual(columns)
  expect(text).toContain('12 %')
})
