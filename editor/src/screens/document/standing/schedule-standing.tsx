import type { JsonObject } from 'quire-client'
import { momentsIn, ZONE } from '../../../base/clock-times.ts'
import { languageOf } from '../../../base/times.ts'
import { t } from '../../../words/words.ts'

const moments = momentsIn(languageOf(navigator.languages))

/** When the document goes live and into the archive by itself, and what of that could not be done. */
export function ScheduleStanding({ document }: { readonly document: JsonObject }) {
  const { publishAt, archiveAt, scheduleError } = document
  return (
    <>
      <Planned time={publishAt} say={t.schedules.goesLive} />
      <Planned time={archiveAt} say={t.schedules.isArchived} />
      {isFailure(scheduleError) && (
        <Failed failure={scheduleError} isTriedAgain={isStillDue(document, scheduleError)} />
      )}
    </>
  )
}

interface PlannedProps {
  readonly time: unknown
  readonly say: (time: string, zone: string) => string
}

function Planned({ time, say }: PlannedProps) {
  if (typeof time !== 'string') return null
  return (
    <span class="q-state q-scheduled">
      <span aria-hidden="true">◷</span> <time dateTime={time}>{say(exact(time), ZONE)}</time>
    </span>
  )
}

/** Why something was not done at its time (§3.9). */
interface ScheduleFailure {
  readonly action: 'publish' | 'archive'
  readonly at: string
  readonly message: string
}

function isFailure(value: unknown): value is ScheduleFailure {
  return typeof value === 'object' && value !== null && 'message' in value
}

/** An action that fails for a while keeps its time: that of the next attempt. */
function isStillDue({ publishAt, archiveAt }: JsonObject, { action }: ScheduleFailure): boolean {
  return Boolean(action === 'publish' ? publishAt : archiveAt)
}

function Failed({ failure, isTriedAgain }: { readonly failure: ScheduleFailure; readonly isTriedAgain: boolean }) {
  const { action, at, message } = failure
  const say = action === 'publish' ? t.schedules.notPublished : t.schedules.notArchived
  return (
    <p class="q-schedule-failure">
      <span aria-hidden="true">⚠</span> {say(exact(at), message)} {isTriedAgain && t.schedules.triedAgain}
    </p>
  )
}

function exact(time: string): string {
  return moments.exact(new Date(time), Date.now())
}
