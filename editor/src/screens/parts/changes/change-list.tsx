import type { ComponentChildren } from 'preact'
import type { ChangeRow } from 'quire-client'
import { ChangeItem, keyOf } from './change-item.tsx'
import './changes.css'

interface ChangeListProps<Row extends ChangeRow> {
  readonly rows: readonly Row[]
  /** Buttons for a change. */
  readonly actions?: (row: Row) => ComponentChildren
}

/** The changes between two states of a document. */
export function ChangeList<Row extends ChangeRow>({ rows, actions }: ChangeListProps<Row>) {
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
