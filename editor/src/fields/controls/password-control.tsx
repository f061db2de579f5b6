import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Input } from '../../ui/input.tsx'
import { t } from '../../words/words.ts'
import type { ControlProps } from '../control.ts'

/** A new password, typed twice. The present one is never known. */
export function PasswordControl({ leaf, id, describedBy }: ControlProps) {
  const first = useSignal('')
  const second = useSignal('')
  const secondId = useId()
  const isDifferent = second.value !== '' && first.value !== second.value
  const change = () => {
    if (first.value === second.value) leaf.set(first.value === '' ? null : first.value)
  }
  const common = { type: 'password', autocomplete: 'new-password', readOnly: leaf.isLocked } as const
  return (
    <>
      <label for={id}>{t.form.newPassword}</label>
      <Input
        {...common}
        id={id}
        aria-describedby={describedBy}
        value={first}
        onInput={(event) => {
          first.value = event.currentTarget.value
          change()
        }}
      />
      <label for={secondId}>{t.form.again}</label>
      <Input
        {...common}
        id={secondId}
        aria-invalid={isDifferent ? 'true' : undefined}
        value={second}
        onInput={(event) => {
          second.value = event.currentTarget.value
          change()
        }}
      />
      <small aria-live="polite">{isDifferent ? t.form.passwordsDiffer : t.form.passwordUnchanged}</small>
    </>
  )
}
