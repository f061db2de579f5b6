import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { focusedAt, focusOf, type Look, movedTo, resizedTo, type Size } from '../../model/crop.ts'
import { Input } from '../../ui/input.tsx'
import { t } from '../../words/words.ts'
import type { OpenLook } from './use-look.ts'

interface CropNumbersProps {
  readonly size: Size
  readonly look: OpenLook
  readonly canCrop: boolean
  readonly canFocus: boolean
}

/** The part and the focal point in numbers. */
export function CropNumbers({ size, look, canCrop, canFocus }: CropNumbersProps) {
  const { crop } = look.now
  const focus = focusOf(look.now)
  const { left, top } = crop
  const change = (name: string, next: Look) => {
    look.endStep()
    look.change(`number ${name}`, next)
  }
  const number = (name: string, label: string, value: number, then: (given: number) => Look) => (
    <NumberBox key={name} label={label} value={value} onNumber={(given) => change(name, then(given))} />
  )
  const moved = (place: { readonly left?: number; readonly top?: number }) =>
    movedTo(look.now, size, { left, top, ...place })
  return (
    <Numbers>
      {canCrop && [
        number('left', t.crop.left, left, (given) => moved({ left: given })),
        number('top', t.crop.top, top, (given) => moved({ top: given })),
        number('width', t.crop.width, crop.width, (given) => resizedTo(look.now, size, { right: left + given })),
        number('height', t.crop.height, crop.height, (given) => resizedTo(look.now, size, { bottom: top + given })),
      ]}
      {canFocus && [
        number('x', t.crop.focusX, focus.x, (x) => focusedAt(look.now, { ...focus, x })),
        number('y', t.crop.focusY, focus.y, (y) => focusedAt(look.now, { ...focus, y })),
      ]}
    </Numbers>
  )
}

function Numbers({ children }: { readonly children: ComponentChildren }) {
  return (
    <fieldset class="q-crop-numbers" aria-label={t.crop.numbers}>
      {children}
    </fieldset>
  )
}

interface NumberBoxProps {
  readonly label: string
  readonly value: number
  readonly onNumber: (value: number) => void
}

/** A number that counts once it is left, or Enter is pressed: half of it would move everything. Arrow keys step. */
function NumberBox({ label, value, onNumber }: NumberBoxProps) {
  const id = useId()
  const typed = useSignal<string | null>(null)
  return (
    <div class="q-crop-number">
      <label for={id}>{label}</label>
      <Input
        id={id}
        type="text"
        inputMode="numeric"
        value={typed.value ?? String(value)}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
        }}
        onChange={() => {
          const given = typed.peek()?.trim() || Number.NaN
          typed.value = null
          if (Number.isFinite(Number(given))) onNumber(Math.round(Number(given)))
        }}
        onKeyDown={(event) => {
          const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
          if (by === 0) return
          event.preventDefault()
          typed.value = null
          onNumber(value + by)
        }}
      />
    </div>
  )
}
