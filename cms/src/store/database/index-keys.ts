import { foldText } from '../../base/text.ts'
import { type Document, stateOf } from '../../model/terms/document.ts'
import { docIdOf, type Mode } from '../../model/terms/document-id.ts'
import type { RelatedTarget, Scope, View } from '../terms/document-query.ts'

const LOGIN_REQUIRED = 1
/** The bit of a state for archived documents. */
export const ARCHIVED = 2
const DRAFT = 4

/** The scope of index rows: type and locale, so that both copies of a document are side by side in the indexes. */
export function indexScopeKey({ type, locale }: Omit<Scope, 'mode'>): string {
  return `${type}:${locale}`
}

/** Visibility, archived and mode of a document as one number, as index rows hold it. */
export function indexStateOf(document: Document): number {
  const { visibility, isArchived } = stateOf(document)
  const login = visibility === 'loginRequired' ? LOGIN_REQUIRED : 0
  return login + (isArchived ? ARCHIVED : 0) + draftBit(document.id.mode)
}

/** The states of the index rows that a view shows. */
export function indexStatesOf(view: View): readonly number[] {
  return statesOf(view).map((state) => state + draftBit(view.mode))
}

function draftBit(mode: Mode): number {
  return mode === 'draft' ? DRAFT : 0
}

/** The states that a view shows: visibility and archived as one number, as search holds them. */
export function statesOf(view: View): readonly number[] {
  return [0, 1, 2, 3].filter((state) => {
    const isShown = view.visibility === null || (view.visibility === 'public') === ((state & LOGIN_REQUIRED) === 0)
    return isShown && (view.archived === 'any' || view.archived === (state & ARCHIVED) > 0)
  })
}

/** Given names of documents as they are compared: ids without locale and mode, slugs folded. */
export function namedBy(by: RelatedTarget['by'], values: readonly string[]): string[] {
  return values.map((value) => (by === 'id' ? (docIdOf(value) ?? '') : foldText(value)))
}
