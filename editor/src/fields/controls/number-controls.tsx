import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { t } from '../../words/words.ts'
import { type ControlProps, inputProps } from '../control.ts'
import { NumberInput } from './number-input.tsx'

/** A number. */
export function NumberControl(props: ControlProps) {
  const { leaf } = props
  const { options, type } = leaf.field
  return (
    <span class="q-row">
      <NumberInput
        value={leaf.value.value}
        limits={options}
        isWhole={type === 'integer'}
        isLocked={leaf.isLocked}
        attributes={inputProps(props)}
        onValue={leaf.set}
      />
      {options.unit && <span>{options.unit}</span>}
    </span>
  )
}

/** A number between two bounds: by a slider, or typed beside it. */
export function RangeControl(props: ControlProps) {
  const { leaf } = props
  const { unit, min = 0, max = 100, step = 1 } = leaf.field.options
  const value = leaf.value.value
  return (
    <span class="q-row">
      <Input
        {...inputProps(props)}
        class="q-range"
        type="range"
        min={min}
        max={max}
        step={step}
        value={Number(value ?? min) || 0}
        aria-valuetext={value === null ? t.controls.notSet : undefined}
        disabled={leaf.isLocked}
        onInput={(event) => leaf.set(Number(event.currentTarget.value))}
      />
      <span class="q-range-number">
        <NumberInput
          value={value}
          limits={{ min, max, step }}
          isLocked={leaf.isLocked}
          attributes={{ 'aria-label': t.controls.asNumber(leaf.field.label), placeholder: t.form.none }}
          onValue={leaf.set}
        />
      </span>
      {unit && <span>{unit}</span>}
      {!leaf.isLocked && value !== null && !leaf.field.required && (
        <Button kind="quiet" onPress={() => leaf.set(null)}>
          {t.form.clear}
        </Button>
      )}
    </span>
  )
}
