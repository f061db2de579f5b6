import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import './tick.css'

/** Attributes of a radio button or a checkbox. */
export type TickAttributes = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'role' | 'label'> & {
  readonly type: 'checkbox' | 'radio'
  /** Left out where the label stands elsewhere. */
  readonly label?: ComponentChildren
}

/** A radio button or a checkbox, with its label behind it. */
export function Tick({ label, class: more, ...attributes }: TickAttributes) {
  const Around = label === undefined ? 'span' : 'label'
  return (
    <Around class={more === undefined ? 'q-choice' : `q-choice ${more}`}>
      {/* `as`: the types of Preact want each type of input spelt out, with the roles that it may have. */}
      <input {...(attributes as InputHTMLAttributes<HTMLInputElement>)} />
      {label}
    </Around>
  )
}
