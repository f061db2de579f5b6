import { useId } from 'preact/hooks'
import { t } from '../../../words/words.ts'
import { type ListView, withFilter } from './list-view.ts'

/** A value to choose, and what it is called. */
export interface FilterChoice {
  readonly value: string
  readonly label: string
}

interface ChoiceFilterProps {
  /** Of the filter in the address. */
  readonly name: string
  readonly label: string
  readonly choices: readonly FilterChoice[]
  readonly filters: ListView['filters']
  readonly onChange: (filters: ListView['filters']) => void
}

/** One of some values, or any. */
export function ChoiceFilter({ name, label, choices, filters, onChange }: ChoiceFilterProps) {
  const id = useId()
  const chosen = filters[name] ?? ''
  return (
    <span class="q-list-filter">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="q-input"
        value={chosen}
        onChange={(event) => onChange(withFilter(filters, name, event.currentTarget.value))}
      >
        <option value="">{t.list.any}</option>
        {choices.map(({ value, label }) => (
          <option key={value} value={value} selected={value === chosen}>
            {label}
          </option>
        ))}
      </select>
    </span>
  )
}
