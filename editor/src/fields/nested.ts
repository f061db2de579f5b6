import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { FormNode } from '../model/form.ts'

/** Draws a field of any type: given from above, since fields that hold others are fields as well. */
export const NestedField = createContext<ComponentType<{ readonly node: FormNode }> | null>(null)

/** The component that draws a field inside of another. Throws outside of a form. */
export function useNestedField(): ComponentType<{ readonly node: FormNode }> {
  const Field = useContext(NestedField)
  if (Field === null) throw new Error('There is no form around this field.')
  return Field
}
