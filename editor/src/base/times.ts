const DAY_MS = 86_400_000

/** The first of some languages that is well-formed; some systems report others. */
export function languageOf(tags: readonly string[]): string | undefined {
  return tags.find((tag) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag))
}

/** Times as people read them, in a language and the zone of the reader. */
export function timesIn(language: string | undefined) {
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' })
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long' })
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' })
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' })
  return {
    /** `14:02` today, `Monday` within a week, else `3 Oct 2026`. `time` is an ISO time, `now` in milliseconds. */
    short(time: string, now: number): string {
      const date = new Date(time)
      if (Number.isNaN(date.getTime())) return ''
      if (date.toDateString() === new Date(now).toDateString()) return clock.format(date)
      const isNear = Math.abs(now - date.getTime()) < 6 * DAY_MS && date.getTime() < now
      return isNear ? weekday.format(date) : day.format(date)
    },
    /** With everything. */
    full: (time: string): string => full.format(new Date(time)),
    day: (date: string): string => day.format(new Date(`${date}T12:00:00`)),
  }
}
