import type { Clock } from './clock.ts'

export interface Delay {
  /** There is something to do: it is done when nothing more has come for `quiet`, at the latest after `latest`. */
  touch(): void
  /** Forgets what there was to do. */
  cancel(): void
  readonly isDue: boolean
}

/** Milliseconds. */
export interface DelayTimes {
  readonly quiet: number
  readonly latest: number
}

/** Puts off work that comes often until there is a pause, but not for ever. */
export function createDelay(clock: Clock, { quiet, latest }: DelayTimes, run: () => void): Delay {
  let since: number | null = null
  let stop = () => {}
  const cancel = () => {
    stop()
    since = null
  }
  return {
    touch() {
      const now = clock.now()
      since ??= now
      stop()
      stop = clock.after(Math.max(0, Math.min(quiet, since + latest - now)), () => {
        since = null
        run()
      })
    },
    cancel,
    get isDue() {
      return since !== null
    },
  }
}
