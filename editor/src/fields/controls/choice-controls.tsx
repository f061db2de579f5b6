import type { Choice, Json } from 'quire-client'
import { Tick } from '../../ui/tick.tsx'
import { t } from '../../words/words.ts'
import { type ControlProps, inputProps } from '../control.ts'

/** Yes or no. */
export function BooleanControl(props: ControlProps) {
  const { leaf } = props
  const { placeholder: _, ...attributes } = inputProps(props)
  return (
    <Tick
      {...attributes}
      type="checkbox"
      checked={leaf.value.value === true}
      disabled={leaf.isLocked}
      onChange={(event) => leaf.set(event.currentTarget.checked)}
    />
  )
}

/** One of several, from a list. */
export function SelectControl(props: ControlProps) {
  const { leaf } = props
  const { placeholder: _, ...attributes } = inputProps(props)
  const choices = leaf.field.options.choices ?? []
  const value = leaf.value.value
  const isKnown = value === null || choices.some((choice) => choice.value === value)
  return (
    <select
      {...attributes}
      class="q-input"
      disabled={leaf.isLocked}
      onChange={(event) => leaf.set(valueAt(choices, event.currentTarget.value))}
    >
      {(!leaf.field.required || value === null) && (
        <option value="" selected={value === null}>
          {t.form.none}
        </option>
      )}
      {!isKnown && (
        <option value="" selected>
          {String(value)}
        </option>
      )}
      {choices.map((choice, index) => (
        <option key={String(choice.value)} value={String(index)} selected={choice.value === value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}

function valueAt(choices: readonly Choice[], index: string): Json {
  return index === '' ? null : (choices[Number(index)]?.value ?? null)
}

/** One of several, all in view. */
export function RadioControl({ leaf, id }: ControlProps) {
  return (
    <>
      {(leaf.field.options.choices ?? []).map(({ value, label }, index) => (
        <Tick
          key={String(value)}
          id={index === 0 ? id : undefined}
          type="radio"
          name={id}
          label={label}
          checked={leaf.value.value === value}
          disabled={leaf.isLocked}
          onChange={() => leaf.set(value)}
        />
      ))}
    </>
  )
}

/** Any of several. */
export function CheckboxesControl({ leaf, id }: ControlProps) {
  const given = leaf.value.value
  const chosen: readonly Json[] = Array.isArray(given) ? given : []
  const choices = leaf.field.options.choices ?? []
  return (
    <>
      {choices.map(({ value, label }, index) => (
        <Tick
          key={String(value)}
          id={index === 0 ? id : undefined}
          type="checkbox"
          label={label}
          checked={chosen.includes(value)}
          disabled={leaf.isLocked}
          onChange={(event) =>
            leaf.set(event.currentTarget.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
          }
        />
      ))}
    </>
  )
}
