import { languageOf, timesIn } from '../../base/times.ts'

const times = timesIn(languageOf(navigator.languages))

/** When something was, shortly; in full for those who point at it. */
export function When({ time }: { readonly time: string }) {
  return (
    <time dateTime={time} title={times.full(time)}>
      {times.short(time, Date.now())}
    </time>
  )
}
