import type { ReadonlySignal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Schema } from 'quire-client'
import type { Place } from './place.ts'
import type { RequestOptions } from './request-options.ts'
import type { Opener } from './saving/open-draft.ts'
import type { Speaker } from './session.ts'

/** The things that every screen is given. */
export interface Editor {
  /** Sends a request as the user who signed in, and for nobody else. Rejects with a `QuireError`. */
  request<Body>(method: string, path: string, options?: RequestOptions): Promise<Body>
  readonly client: Speaker['client']
  /** Returns what documents are opened with now. */
  opener(): Opener
  readonly place: Place
  readonly schema: ReadonlySignal<Schema>
  /** The locale of the content that is shown. */
  readonly locale: ReadonlySignal<string>
  /** The address of a place in the editor, in the present locale: `/content/article` → `/admin/content/article?locale=fr`. */
  link(path: string, query?: Readonly<Record<string, string>>): string
  /** Goes there; `isReplacing` leaves no step back to the present address. */
  go(
    path: string,
    options?: { readonly query?: Readonly<Record<string, string>>; readonly isReplacing?: boolean },
  ): void
}

export const EditorContext = createContext<Editor | null>(null)

/** The editor that the screen is in. Throws outside of the frame. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (editor === null) throw new Error('There is no editor around this component.')
  return editor
}
