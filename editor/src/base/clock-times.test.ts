import { afterAll, beforeAll, expect, test } from 'vitest'
import { clockTime, momentOf } from './clock-times.ts'

const ZONE = process.env.TZ
beforeAll(() => {
  process.env.TZ = 'Europe/Lisbon'
})
afterAll(() => {
  if (ZONE === undefined) delete process.env.TZ
  else process.env.TZ = ZONE
})

test('7 a time that clocks are put forward over is none', () => {
  expect(momentOf('2027-03-28T01:30')).toBeNull()
  expect(momentOf('2027-03-28T00:59')?.toISOString()).toBe('2027-03-28T00:59:00.000Z')
  expect(momentOf('2027-03-28T02:00')?.toISOString()).toBe('2027-03-28T01:00:00.000Z')
})

test('7 a time that clocks show twice is the first of both, and both are shown alike', () => {
  expect(momentOf('2026-10-25T01:30')?.toISOString()).toBe('2026-10-25T00:30:00.000Z')
  for (const moment of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'])
    expect(clockTime(new Date(moment))).toBe('2026-10-25T01:30')
})

test('7 what is no time is none', () => {
  for (const text of ['', 'soon', '2026-02-30T10:00', '2026-13-01T10:00']) expect(momentOf(text)).toBeNull()
})
