const MINUTE_MS = 60_000
const UNITS = [
  ['year', 525_600],
  ['month', 43_200],
  ['day', 1440],
  ['hour', 60],
  ['minute', 1],
] as const

/** The zone of the reader, such as `Europe/Lisbon`. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** `2026-12-31T14:30`, as clocks here show it. */
export function clockTime(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

/** The moment at which clocks here show `2026-12-31T14:30`; null where they never do, since they are put forward over it. */
export function momentOf(text: string): Date | null {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && clockTime(date) === text.slice(0, 16) ? date : null
}

/** Moments to come as people say them, in a language. */
export function momentsIn(language: string | undefined) {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  const parts = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
  const thisYear = new Intl.DateTimeFormat(language, parts)
  const otherYear = new Intl.DateTimeFormat(language, { ...parts, year: 'numeric' })
  return {
    /** `in 4 days`, seen from `now` in milliseconds. */
    away(date: Date, now: number): string {
      const minutes = (date.getTime() - now) / MINUTE_MS
      const [unit, size] = UNITS.find((one) => Math.abs(minutes) >= one[1]) ?? ['minute', 1]
      return relative.format(Math.round(minutes / size), unit)
    },
    /** `Thu 27 Nov, 08:00`; with the year where it is not that of `now`. */
    exact(date: Date, now: number): string {
      const isThisYear = date.getFullYear() === new Date(now).getFullYear()
      return (isThisYear ? thisYear : otherYear).format(date)
    },
  }
}
