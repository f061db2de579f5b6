import { useEffect, useId, useRef } from 'preact/hooks'
import type { FieldInfo } from 'quire-client'
import { Input } from '../../../ui/input.tsx'
import { t } from '../../../words/words.ts'
import { type ListView, withFilter } from './list-view.ts'

interface RangeFilterProps {
  readonly field: FieldInfo
  readonly filters: ListView['filters']
  readonly onChange: (filters: ListView['filters']) => void
}

/** From and to. */
export function RangeFilter(props: RangeFilterProps) {
  const { label, name } = props.field
  return (
    <>
      <ValueBox {...props} name={`${name}.from`} label={t.list.from(label)} />
      <ValueBox {...props} name={`${name}.to`} label={t.list.to(label)} />
    </>
  )
}

interface ValueBoxProps extends RangeFilterProps {
  /** Of the filter in the address. */
  readonly name: string
  readonly label: string
}

/** A value that is typed. */
export function ValueBox({ field, filters, onChange, name, label }: ValueBoxProps) {
  const id = useId()
  const place = useRef<HTMLSpanElement>(null)
  const value = filters[name] ?? ''
  useEffect(() => {
    const input = place.current?.querySelector('input')
    if (input && input !== document.activeElement) input.value = value
  }, [value])
  return (
    <span ref={place} class="q-list-filter">
      <label for={id}>{label}</label>
      <Input
        id={id}
        type={inputTypeOf(field)}
        step={field.type === 'float' ? 'any' : undefined}
        defaultValue={value}
        onChange={(event) => onChange(withFilter(filters, name, event.currentTarget.value))}
      />
    </span>
  )
}

function inputTypeOf({ type, filter }: FieldInfo): 'date' | 'time' | 'datetime-local' | 'number' | 'text' {
  if (filter === 'text') return 'text'
  if (type === 'date' || type === 'time') return type
  return type === 'dateAndTime' ? 'datetime-local' : 'number'
}
