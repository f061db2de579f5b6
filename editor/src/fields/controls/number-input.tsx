import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { FieldOptions, Json } from 'quire-client'
import { Input, type InputAttributes } from '../../ui/input.tsx'

interface NumberInputProps {
  readonly value: Json
  readonly limits: Pick<FieldOptions, 'min' | 'max' | 'step'>
  readonly isWhole?: boolean
  readonly isLocked: boolean
  readonly attributes: InputAttributes
  /** Null for nothing; what is no number is given as it was typed. */
  readonly onValue: (value: number | string | null) => void
}

/** A number, typed as text, so that what is half typed stays. The arrow keys step. */
export function NumberInput({ value, limits, isWhole = false, isLocked, attributes, onValue }: NumberInputProps) {
  const { min, max, step = 1 } = limits
  const text = useSignal('')
  useLayoutEffect(() => {
    if (numberIn(text.value) !== value) text.value = value === null ? '' : String(value)
  }, [value, text])
  return (
    <Input
      {...attributes}
      type="text"
      inputMode={isWhole ? 'numeric' : 'decimal'}
      value={text}
      readOnly={isLocked}
      onInput={(event) => {
        text.value = event.currentTarget.value
        onValue(numberIn(text.value))
      }}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
        if (by === 0 || isLocked) return
        event.preventDefault()
        const next = Number(((Number(value ?? 0) || 0) + by * step).toFixed(DIGITS))
        onValue(Math.min(Number(max ?? Infinity), Math.max(Number(min ?? -Infinity), next)))
      }}
    />
  )
}

/** Sums of decimal fractions are not exact. */
const DIGITS = 9

function numberIn(text: string): number | string | null {
  const given = text.trim().replace(',', '.')
  if (given === '') return null
  const number = Number(given)
  return Number.isFinite(number) ? number : text
}
