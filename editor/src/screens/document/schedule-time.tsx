import { useId } from 'preact/hooks'
import type { Reason } from 'quire-client'
import { momentOf, momentsIn, ZONE } from '../../base/clock-times.ts'
import { languageOf } from '../../base/times.ts'
import { Button } from '../../ui/button.tsx'
import { describedBy, FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { t } from '../../words/words.ts'

const moments = momentsIn(languageOf(navigator.languages))

interface ScheduleTimeProps {
  readonly label: string
  /** As clocks here show it, `2026-12-31T14:30`; empty for none. */
  readonly clock: string
  /** Why it cannot be set. */
  readonly lock: Reason | null
  readonly problem: string | null
  readonly onInput: (clock: string) => void
}

/** One time of a schedule, with the zone that it is in and how far away it is. */
export function ScheduleTime({ label, clock, lock, problem, onInput }: ScheduleTimeProps) {
  const id = useId()
  const moment = momentOf(clock)
  const help = t.schedules.zone(ZONE, moment && moments.away(moment, Date.now()))
  const problems = problem === null ? [] : [problem]
  const reason = lock && t.roles.reason(lock)
  return (
    <FieldFrame id={id} label={label} help={help} problems={problems} lock={reason}>
      <span class="q-row">
        <Input
          id={id}
          type="datetime-local"
          max="9999-12-31T23:59"
          value={clock}
          readOnly={reason !== null}
          aria-invalid={problem === null ? undefined : 'true'}
          aria-describedby={describedBy(id, { help, lock: reason, problems })}
          onInput={(event) => onInput(event.currentTarget.value.slice(0, 16))}
        />
        {clock !== '' && reason === null && (
          <Button kind="quiet" onPress={() => onInput('')}>
            {t.form.clear}
          </Button>
        )}
      </span>
    </FieldFrame>
  )
}
