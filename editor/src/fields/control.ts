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

/** The types of addresses, which run from left to right in any language. */
const ADDRESSES: ReadonlySet<string> = new Set(['slug', 'url', 'email'])

/** The direction of a value: null for that of its language. */
export function directionOf({ type }: Leaf['field']): 'ltr' | null {
  return ADDRESSES.has(type) ? 'ltr' : null
}

/** The attributes that all native controls have in common. */
export function inputProps({ leaf, id, describedBy, isInvalid }: ControlProps) {
  return {
    id,
    dir: directionOf(leaf.field) ?? undefined,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid ? ('true' as const) : undefined,
    'aria-required': leaf.field.required ? ('true' as const) : undefined,
    placeholder: leaf.field.placeholder,
  }
}
