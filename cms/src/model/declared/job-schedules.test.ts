import { describe, expect, it } from 'vitest'
import type { Schedule } from './job-schedules.ts'
import { firstRun, nextRun, readDaily, readInterval } from './job-schedules.ts'

const at = (text: string) => Date.parse(text)
const daily = (time: string, zone = 'UTC') => readDaily(time, zone) as Schedule
const next = (schedule: Schedule, from: string) => new Date(nextRun(schedule, at(from))).toISOString()

describe('schedules of jobs', () => {
  it('are intervals of whole seconds, minutes, hours and days', () => {
    const ms = ['1s', '10m', '2h', '7d'].map((text) => {
      const read = readInterval(text)
      return read?.kind === 'interval' && read.ms
    })
    expect(ms).toEqual([1000, 600_000, 7_200_000, 604_800_000])
    expect(['', '0m', '1.5h', '10', 'm', '400d', '1w', '-1m', '99999999d'].map(readInterval)).toEqual(
      Array(9).fill(null),
    )
    expect(firstRun({ kind: 'interval', ms: 5_000 }, 7)).toBe(5_007)
    expect(firstRun({ kind: 'interval', ms: 86_400_000 }, 7)).toBe(600_007)
  })

  it('are times of the day in a time zone, also where clocks change', () => {
    expect(next(daily('03:30'), '2026-01-01T03:29:59.000Z')).toBe('2026-01-01T03:30:00.000Z')
    expect(next(daily('03:30'), '2026-01-01T03:30:00.000Z')).toBe('2026-01-02T03:30:00.000Z')
    expect(next(daily('00:10', 'Asia/Tokyo'), '2026-01-01T14:00:00.000Z')).toBe('2026-01-01T15:10:00.000Z')
    expect(next(daily('23:00', 'America/New_York'), '2026-01-02T02:00:00.000Z')).toBe('2026-01-02T04:00:00.000Z')
    // Skipped on 29 March, repeated on 25 October.
    expect(next(daily('02:30', 'Europe/Berlin'), '2026-03-28T12:00:00.000Z')).toBe('2026-03-29T01:30:00.000Z')
    expect(next(daily('02:30', 'Europe/Berlin'), '2026-03-29T12:00:00.000Z')).toBe('2026-03-30T00:30:00.000Z')
    expect(next(daily('02:30', 'Europe/Berlin'), '2026-10-24T12:00:00.000Z')).toBe('2026-10-25T00:30:00.000Z')
    expect(next(daily('02:30', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z')).toBe('2026-10-26T01:30:00.000Z')
    expect([readDaily('24:00', 'UTC'), readDaily('3:30', 'UTC'), readDaily('03:30', 'Nowhere/X')]).toEqual([
      null,
      null,
      null,
    ])
  })
})
