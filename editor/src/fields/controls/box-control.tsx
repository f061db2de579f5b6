import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { Json, JsonObject } from 'quire-client'
import { isObject } from '../../model/json.ts'
import { Tick } from '../../ui/tick.tsx'
import { t } from '../../words/words.ts'
import type { ControlProps } from '../control.ts'
import { NumberInput } from './number-input.tsx'
import './box.css'

const SIDES = ['top', 'right', 'bottom', 'left'] as const
type Side = (typeof SIDES)[number]

/** A number for each side of a box; the same for all, where that is ticked. */
export function BoxControl({ leaf, id, describedBy }: ControlProps) {
  const given = leaf.value.value
  const box: JsonObject = isObject(given) ? given : {}
  const sides = SIDES.map((side) => box[side] ?? null)
  const isSame = sides.every((side) => side === sides[0])
  const isEqual = useSignal(isSame && sides[0] !== null)
  const set = (side: Side, value: Json) => leaf.set({ ...filled(sides), [side]: value })
  const setAll = (value: Json) => leaf.set(filled(SIDES.map(() => value)))
  return (
    <div class="q-box">
      {SIDES.map((side, index) => (
        <SideInput
          key={side}
          leaf={leaf}
          side={side}
          id={index === 0 ? id : undefined}
          describedBy={describedBy}
          value={box[side] ?? null}
          onValue={(value) => (isEqual.value ? setAll(value) : set(side, value))}
        />
      ))}
      <Tick
        class="q-box-equal"
        type="checkbox"
        label={t.controls.allEqual}
        checked={isEqual.value}
        disabled={leaf.isLocked}
        onChange={(event) => {
          isEqual.value = event.currentTarget.checked
          if (isEqual.value && !isSame) setAll(sides.find((side) => side !== null) ?? null)
        }}
      />
    </div>
  )
}

function filled(values: readonly Json[]): JsonObject {
  return Object.fromEntries(SIDES.map((side, index) => [side, values[index] ?? null]))
}

interface SideInputProps extends Pick<ControlProps, 'leaf' | 'describedBy'> {
  readonly side: Side
  readonly id: string | undefined
  readonly value: Json
  readonly onValue: (value: Json) => void
}

function SideInput({ leaf, side, id, describedBy, value, onValue }: SideInputProps) {
  const ownId = useId()
  const { options } = leaf.field
  return (
    <span class={`q-box-side q-box-side--${side}`}>
      <label for={id ?? ownId}>{t.controls[side]}</label>
      <span class="q-row">
        <NumberInput
          value={value}
          limits={options}
          isLocked={leaf.isLocked}
          attributes={{ id: id ?? ownId, 'aria-describedby': describedBy }}
          onValue={onValue}
        />
        {options.unit && <span>{options.unit}</span>}
      </span>
    </span>
  )
}
