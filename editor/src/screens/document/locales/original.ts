import { createContext } from 'preact'
import type { ChangeRow } from 'quire-client'
import type { OpenDocument } from '../../../model/form.ts'

/** The copy of a document in another locale, beside which it is edited. */
export interface Original {
  readonly label: string
  /** As attributes of what shows its texts. */
  readonly language: { readonly lang: string; readonly dir: 'ltr' | 'rtl' }
  /** It is only read. */
  readonly document: OpenDocument
  /** The changes made in it since the translation was saved, by the path of the field. */
  readonly rows: ReadonlyMap<string, ChangeRow>
}

/** The copy that the fields of a form stand beside. */
export const OriginalContext = createContext<Original | null>(null)
