import { useLanguage } from '../../data/use-language.ts'
import { Input } from '../../ui/input.tsx'
import { t } from '../../words/words.ts'
import { type ControlProps, inputProps } from '../control.ts'

const SHOWN_FROM = 0.8

/** One line, or a text that grows with its content. */
export function TextControl(props: ControlProps) {
  const { leaf } = props
  const { textarea = false, max } = leaf.field.options
  const value = typeof leaf.value.value === 'string' ? leaf.value.value : ''
  const { lang } = useLanguage()
  const common = { ...inputProps(props), lang, value, readOnly: leaf.isLocked }
  const most = typeof max === 'number' ? max : null
  return (
    <>
      {textarea ? (
        <textarea {...common} class="q-input q-text-area" onInput={(event) => leaf.set(event.currentTarget.value)} />
      ) : (
        <Input {...common} type="text" onInput={(event) => leaf.set(event.currentTarget.value)} />
      )}
      {most !== null && value.length >= most * SHOWN_FROM && (
        <span class="q-counter">{t.form.characters(value.length, most)}</span>
      )}
    </>
  )
}

/** An address of a person. */
export function EmailControl(props: ControlProps) {
  return <PlainControl {...props} type="email" />
}

/** An address of the web. */
export function UrlControl(props: ControlProps) {
  const { value } = props.leaf
  const url = typeof value.value === 'string' && /^https?:/.test(value.value) ? value.value : null
  return (
    <>
      <PlainControl {...props} type="url" />
      {url && (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {t.form.open}
        </a>
      )}
    </>
  )
}

function PlainControl({ type, ...props }: ControlProps & { readonly type: 'email' | 'url' }) {
  const { leaf } = props
  return (
    <Input
      {...inputProps(props)}
      type={type}
      value={typeof leaf.value.value === 'string' ? leaf.value.value : ''}
      readOnly={leaf.isLocked}
      onInput={(event) => leaf.set(event.currentTarget.value)}
    />
  )
}
