import { createContext } from 'preact'
import type { TypeInfo } from 'quire-client'
import type { Group } from '../model/form.ts'

/** The document that a form is of. */
export interface FormOf {
  readonly typeName: string
  readonly type: TypeInfo
  readonly root: Group
}

/** For the few controls whose value depends on the document around them; null in forms of something else. */
export const OfDocument = createContext<FormOf | null>(null)
