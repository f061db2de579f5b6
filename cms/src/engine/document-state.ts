import { type Document, openValues, type Visibility } from '../model/terms/document.ts'

/** The facts about a document that decide who sees it, and where. Finding a document reveals them. */
export interface DocumentState {
  readonly isArchived: boolean
  readonly visibility: Visibility
  /** A page that navigation leaves out. */
  readonly isOrphan: boolean
}

/** The state of a document. */
export function stateOf(document: Document): DocumentState {
  const { archived, visibility, orphan } = openValues(document)
  return {
    isArchived: archived === true,
    visibility: visibility === 'loginRequired' ? 'loginRequired' : 'public',
    isOrphan: orphan === true,
  }
}

/** The slug of a document, by which its URL is found. */
export function slugOf(document: Document): string {
  return String(openValues(document).slug)
}

/** A view, as far as it says which fields are seen. */
interface FieldsView {
  field(name: string): object | null
}

/** The title of a document, where the view shows it; empty where not. */
export function titleOf(view: FieldsView | null, document: Document): string {
  return view?.field('title') ? String(openValues(document).title ?? '') : ''
}
