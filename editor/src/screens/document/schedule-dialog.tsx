import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { JsonObject, TypeInfo } from 'quire-client'
import { clockTime, momentOf } from '../../base/clock-times.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { t } from '../../words/words.ts'
import { ScheduleTime } from './schedule-time.tsx'
import type { PublishingActions, ScheduleTimes } from './use-publishing.ts'

interface ScheduleDialogProps {
  readonly type: TypeInfo
  readonly document: JsonObject
  readonly onSchedule: PublishingActions['schedule']
  readonly onClose: () => void
}

const NAMES = ['publishAt', 'archiveAt'] as const

/** Times as clocks here show them; empty for none. */
type Clocks = Readonly<Record<(typeof NAMES)[number], string>>

/** Asks when a document is published and archived by itself. What cannot be is refused before it is sent. */
export function ScheduleDialog({ type, document, onSchedule, onClose }: ScheduleDialogProps) {
  const before: Clocks = { publishAt: clockOf(document.publishAt), archiveAt: clockOf(document.archiveAt) }
  const clocks = useSignal(before)
  const isTried = useSignal(false)
  const form = useId()
  const changed = NAMES.filter((name) => clocks.value[name] !== before[name])
  const problems = problemsOf(clocks.value, changed)
  const lockOf = { publishAt: type.denied.publish, archiveAt: type.denied.archive }
  const send = () => {
    isTried.value = true
    if (Object.values(problems).some((problem) => problem !== null)) return
    const times: ScheduleTimes = Object.fromEntries(
      changed.map((name) => [name, momentOf(clocks.value[name])?.toISOString() ?? null]),
    )
    const isCancelled = NAMES.every((name) => clocks.value[name] === '')
    onClose()
    void onSchedule(times, isCancelled ? t.schedules.cancelled : t.schedules.scheduled)
  }
  return (
    <Dialog
      title={t.schedules.title}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t.frame.cancel}</Button>
          <Button
            kind="primary"
            isSubmit
            attributes={{ form }}
            offBecause={changed.length === 0 ? t.schedules.unchanged : null}
          >
            {t.schedules.schedule}
          </Button>
        </>
      }
    >
      <form
        id={form}
        class="q-schedule"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        {NAMES.filter((name) => name === 'publishAt' || !type.singleton).map((name) => (
          <ScheduleTime
            key={name}
            label={t.schedules[name]}
            clock={clocks.value[name]}
            lock={lockOf[name] ?? null}
            problem={isTried.value ? problems[name] : null}
            onInput={(clock) => {
              clocks.value = { ...clocks.value, [name]: clock }
            }}
          />
        ))}
        <p>{t.schedules.help}</p>
      </form>
    </Dialog>
  )
}

function clockOf(time: unknown): string {
  return typeof time === 'string' ? clockTime(new Date(time)) : ''
}

/** The problems of the changed times, in words. */
function problemsOf(clocks: Clocks, changed: readonly string[]): Readonly<Record<keyof Clocks, string | null>> {
  const own = (name: keyof Clocks) => (changed.includes(name) && clocks[name] !== '' ? problemOf(clocks[name]) : null)
  const isDisordered = changed.length > 0 && clocks.archiveAt !== '' && clocks.archiveAt <= clocks.publishAt
  return {
    publishAt: own('publishAt'),
    archiveAt: own('archiveAt') ?? (isDisordered ? t.schedules.afterPublishing : null),
  }
}

function problemOf(clock: string): string | null {
  const moment = momentOf(clock)
  if (moment === null) return t.schedules.skipped
  return moment.getTime() <= Date.now() ? t.schedules.past : null
}
