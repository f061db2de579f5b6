import { clockTime, ZONE } from '../../base/clock-times.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { t } from '../../words/words.ts'
import { type ControlProps, inputProps } from '../control.ts'

/** A day, such as `2026-12-31`. */
export function DateControl(props: ControlProps) {
  const { leaf } = props
  return (
    <span class="q-row">
      <Input
        {...inputProps(props)}
        type="date"
        min={leaf.field.options.min}
        max={leaf.field.options.max}
        value={String(leaf.value.value ?? '')}
        readOnly={leaf.isLocked}
        onInput={(event) => leaf.set(event.currentTarget.value || null)}
      />
      {!leaf.isLocked && (
        <>
          <Button kind="quiet" onPress={() => leaf.set(clockTime(new Date()).slice(0, 10))}>
            {t.form.today}
          </Button>
          {leaf.value.value !== null && <ClearButton onPress={() => leaf.set(null)} />}
        </>
      )}
    </span>
  )
}

/** A time of day, such as `14:30:00`. */
export function TimeControl(props: ControlProps) {
  const { leaf } = props
  return (
    <span class="q-row">
      <Input
        {...inputProps(props)}
        type="time"
        value={String(leaf.value.value ?? '')}
        readOnly={leaf.isLocked}
        onInput={(event) => leaf.set(event.currentTarget.value || null)}
      />
      {!leaf.isLocked && leaf.value.value !== null && <ClearButton onPress={() => leaf.set(null)} />}
    </span>
  )
}

/** A moment, in the zone of the reader, which is named. */
export function DateAndTimeControl(props: ControlProps) {
  const { leaf } = props
  const given = leaf.value.value
  const date = typeof given === 'string' ? new Date(given) : null
  const isDate = date !== null && !Number.isNaN(date.getTime())
  return (
    <span class="q-row">
      <Input
        {...inputProps(props)}
        type="datetime-local"
        value={isDate ? clockTime(date) : ''}
        readOnly={leaf.isLocked}
        onInput={(event) => {
          const { value } = event.currentTarget
          leaf.set(value === '' ? null : new Date(value).toISOString())
        }}
      />
      <small>{t.form.zone(ZONE)}</small>
      {!leaf.isLocked && given !== null && <ClearButton onPress={() => leaf.set(null)} />}
    </span>
  )
}

function ClearButton({ onPress }: { readonly onPress: () => void }) {
  return (
    <Button kind="quiet" onPress={onPress}>
      {t.form.clear}
    </Button>
  )
}
