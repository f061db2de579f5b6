import type { JsonObject } from 'quire-client'
import { ListTable } from '../parts/list/list-table.tsx'
import type { OpenList } from '../parts/list/use-list.ts'
import { MediaActions } from './media-actions.tsx'

interface FileTableProps {
  readonly list: OpenList
  readonly rows: readonly JsonObject[]
}

/** Files, with a way to each file itself. */
export function FileTable({ list, rows }: FileTableProps) {
  return <ListTable list={list} rows={rows} actions={(row) => <MediaActions name={list.name} row={row} />} />
}
