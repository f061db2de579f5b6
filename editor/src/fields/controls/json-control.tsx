import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { Json } from 'quire-client'
import { t } from '../../words/words.ts'
import { type ControlProps, inputProps } from '../control.ts'

/** A value of a field type that the editor has no control for, as JSON. */
export function JsonControl(props: ControlProps) {
  const { leaf } = props
  const text = useSignal('')
  const value = leaf.value.value
  useLayoutEffect(() => {
    if (JSON.stringify(parsed(text.value)) !== JSON.stringify(value)) text.value = JSON.stringify(value, null, 2) ?? ''
  }, [value, text])
  const isWrong = parsed(text.value) === undefined
  return (
    <>
      <textarea
        {...inputProps(props)}
        class="q-input q-text-area"
        value={text}
        readOnly={leaf.isLocked}
        aria-invalid={isWrong || props.isInvalid ? 'true' : undefined}
        onInput={(event) => {
          text.value = event.currentTarget.value
          const next = parsed(text.value)
          if (next !== undefined) leaf.set(next)
        }}
      />
      <small aria-live="polite">{isWrong ? t.form.notJson : ''}</small>
    </>
  )
}

function parsed(text: string): Json | undefined {
  try {
    return text.trim() === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}
