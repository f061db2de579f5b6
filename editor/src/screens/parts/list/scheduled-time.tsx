import { momentsIn } from '../../../base/clock-times.ts'
import { languageOf } from '../../../base/times.ts'

const moments = momentsIn(languageOf(navigator.languages))

/** A time of a schedule, as clocks here show it, and how far away it is for those who point at it. */
export function ScheduledTime({ time }: { readonly time: unknown }) {
  if (typeof time !== 'string') return null
  const [date, now] = [new Date(time), Date.now()]
  return (
    <time dateTime={time} title={moments.away(date, now)}>
      {moments.exact(date, now)}
    </time>
  )
}
