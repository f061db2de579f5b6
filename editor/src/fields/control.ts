import type { ComponentChild } from 'preact'
import type { Leaf } from '../model/form.ts'

/** The props of a control. */
export interface ControlProps {
  readonly leaf: Leaf
  /** Of the element that takes the focus. */
  readonly id: string
  /** Ids of help and problems. */
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
}

/** How a field of one type is edited. A control knows its leaf, and nothing around it. */
export interface Control {
  /** One element, which the field's label names; or several, in a group that it names. */
  readonly kind: 'single' | 'group'
  Edit(props: ControlProps): ComponentChild
}

/** The attributes that all native controls have in common. */
export function inputProps({ leaf, id, describedBy, isInvalid }: ControlProps) {
  return {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid ? ('true' as const) : undefined,
    'aria-required': leaf.field.required ? ('true' as const) : undefined,
    placeholder: leaf.field.placeholder,
  }
}
