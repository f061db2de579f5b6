import { useId } from 'preact/hooks'
import './choice.css'

interface ChoiceProps {
  readonly label: string
  readonly chosen: string
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly onChoose: (value: string) => void
}

/** One of several, with its label before it. */
export function Choice({ label, chosen, choices, onChoose }: ChoiceProps) {
  const id = useId()
  return (
    <span class="q-choice-of">
      <label for={id}>{label}</label>
      <select id={id} class="q-input" value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
        {choices.map(({ value, label: name }) => (
          <option key={value} value={value} selected={value === chosen}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}
