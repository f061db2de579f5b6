import { t } from '../words/words.ts'
import './state-mark.css'

export type State = 'draft' | 'modified' | 'published' | 'archived'

const SHAPES: Readonly<Record<State, string>> = { draft: '●', modified: '◐', published: '✓', archived: '▣' }

/** The state of a document: a shape and a word. */
export function StateMark({ state }: { readonly state: State }) {
  return (
    <span class={`q-state q-state--${state}`}>
      <span aria-hidden="true">{SHAPES[state]}</span> {t.states[state]}
    </span>
  )
}

/** The state that the properties of a document say. */
export function stateOf(row: { archived?: unknown; lastPublishedAt?: unknown; modified?: unknown }): State {
  if (row.archived === true) return 'archived'
  if (!row.lastPublishedAt) return 'draft'
  return row.modified === true ? 'modified' : 'published'
}
