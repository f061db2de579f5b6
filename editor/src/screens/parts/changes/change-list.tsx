import type { ComponentChildren } from 'preact'
import type { ChangeRow } from 'quire-client'
import { ChangeItem, keyOf } from './change-item.tsx'
import './changes.css'

interface ChangeListProps {
  readonly rows: readonly ChangeRow[]
  /** Buttons for a change. */
  readonly actions?: (row: ChangeRow) => ComponentChildren
}

/** The changes between two states of a document. */
export function ChangeList({ rows, actions }: ChangeListProps) {
  return (
    <ol class="q-changes">
      {rows.map((row) => (
        <ChangeItem key={keyOf(row)} row={row}>
          {actions?.(row)}
        </ChangeItem>
      ))}
    </ol>
  )
}
