import { Input } from '../../ui/input.tsx'
import { t } from '../../words/words.ts'
import { type ControlProps, inputProps } from '../control.ts'

/** A colour as CSS writes it: typed, or picked. */
export function ColorControl(props: ControlProps) {
  const { leaf } = props
  const value = typeof leaf.value.value === 'string' ? leaf.value.value : ''
  const [, opaque = '#000000', opacity = ''] = /^(#[0-9a-f]{6})([0-9a-f]{2})?$/i.exec(value) ?? []
  return (
    <span class="q-row">
      <Input
        {...inputProps(props)}
        type="text"
        value={value}
        readOnly={leaf.isLocked}
        onInput={(event) => leaf.set(event.currentTarget.value || null)}
      />
      <input
        type="color"
        class="q-swatch"
        aria-label={t.form.pickColor}
        value={opaque}
        disabled={leaf.isLocked}
        onInput={(event) => leaf.set(event.currentTarget.value + opacity)}
      />
    </span>
  )
}
