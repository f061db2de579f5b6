import type { InputHTMLAttributes } from 'preact'

type InputType =
  | 'date'
  | 'datetime-local'
  | 'email'
  | 'number'
  | 'password'
  | 'range'
  | 'search'
  | 'text'
  | 'time'
  | 'url'

/** Attributes of an input of any type. */
export type InputAttributes = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'role' | 'list'> & {
  readonly type?: InputType
  readonly role?: 'combobox' | 'searchbox' | 'textbox' | undefined
  readonly 'data-autofocus'?: true
}

/** A native input whose type is only known when it is drawn. */
export function Input(attributes: InputAttributes) {
  // `as`: the types of Preact want each type of input spelt out, with the roles that it may have.
  return <input class="q-input" {...(attributes as InputHTMLAttributes<HTMLInputElement>)} />
}
