import { nextSort } from './list-view.ts'

interface HeadCellProps {
  readonly field: string
  readonly label: string
  readonly sort: string
  readonly onSort: ((sort: string) => void) | null
}

/** The head of a column; pressed, it sorts the list. */
export function HeadCell({ field, label, sort, onSort }: HeadCellProps) {
  const order = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined
  const arrow = order === 'ascending' ? ' ▲' : order === 'descending' ? ' ▼' : ''
  return (
    <th scope="col" aria-sort={order}>
      {onSort === null ? (
        label
      ) : (
        <button type="button" class="q-table-sort" onClick={() => onSort(nextSort(sort, field))}>
          {label}
          <span aria-hidden="true">{arrow}</span>
        </button>
      )}
    </th>
  )
}
