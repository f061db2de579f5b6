import type { ComponentChildren } from 'preact'
import type { FieldInfo, JsonObject } from 'quire-client'
import { ZONE } from '../../../base/clock-times.ts'
import { useEditor } from '../../../data/editor.ts'
import { useAiMarks } from '../../../data/written-by-ai.ts'
import { AiMark } from '../../../ui/ai-mark.tsx'
import { StateMark, stateOf } from '../../../ui/state-mark.tsx'
import { t } from '../../../words/words.ts'
import { documentPath } from '../document-path.ts'
import { When } from '../when.tsx'
import { Cell } from './cell.tsx'
import { HeadCell } from './head-cell.tsx'
import { columnsOf } from './list-view.ts'
import { idOf, titleOf } from './row.ts'
import { ScheduledTime } from './scheduled-time.tsx'
import { type OpenList, toggled } from './use-list.ts'
import './list-table.css'

/** The times of schedules, which lists are sorted by. */
const TIMES = ['publishAt', 'archiveAt'] as const

/** With the zone that the times of the column are in. */
function timeLabel(time: (typeof TIMES)[number]): string {
  return t.list.inZone(t.schedules[time], ZONE)
}

interface ListTableProps {
  readonly list: OpenList
  readonly rows: readonly JsonObject[]
  /** Buttons for a row, at its end. */
  readonly actions?: (row: JsonObject) => ComponentChildren
}

/** The rows of a list; its name is that of the type. */
export function ListTable({ list, rows, actions }: ListTableProps) {
  const { type, view, chosen, show } = list
  const onSort = (sort: string) => show({ sort })
  const columns = columnsOf(type)
  const sort = view.sort || type.sort
  const isSortable = (field: string) => type.fields.some((one) => one.name === field && one.isSortable)
  const head = (field: string, label: string, isOn: boolean) => (
    <HeadCell key={field} field={field} label={label} sort={sort} onSort={isOn ? onSort : null} />
  )
  const marks = useAiMarks(list.name, rows)
  const isAll = rows.every((row) => chosen.value.has(idOf(row)))
  return (
    <table class="q-table" aria-label={type.pluralLabel}>
      <thead>
        <tr>
          <td>
            <input
              type="checkbox"
              aria-label={t.list.selectAll}
              checked={isAll}
              onChange={() => {
                chosen.value = isAll ? new Map() : new Map(rows.map((row) => [idOf(row), titleOf(row)]))
              }}
            />
          </td>
          {head('title', t.list.title, isSortable('title'))}
          {columns.map((column) => head(column.name, column.label, column.isSortable === true))}
          {type.localized && (
            <th scope="col" class="q-table-state">
              {t.list.state}
            </th>
          )}
          {type.scheduling && TIMES.map((time) => head(time, timeLabel(time), true))}
          {head('updatedAt', t.list.changed, true)}
          {actions && (
            <th scope="col">
              <span class="q-hidden">{t.list.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            key={idOf(row)}
            list={list}
            columns={columns}
            row={row}
            ai={marks.get(String(row.aposDocId)) ?? false}
            actions={actions}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  readonly list: OpenList
  readonly columns: readonly FieldInfo[]
  readonly row: JsonObject
  readonly ai: 'changed' | 'assisted' | false
  readonly actions: ListTableProps['actions']
}

function Row({ list, columns, row, ai, actions }: RowProps) {
  const { name, type, chosen } = list
  const { link } = useEditor()
  const id = idOf(row)
  const title = titleOf(row)
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={t.list.select(title)}
          checked={chosen.value.has(id)}
          onChange={() => {
            chosen.value = toggled(chosen.value, id, title)
          }}
        />
      </td>
      <th scope="row">
        <a href={link(documentPath(name, type, String(row.aposDocId)))}>{title}</a> <AiMark ai={ai} />
      </th>
      {columns.map((field) => (
        <td key={field.name} data-label={field.label}>
          <Cell field={field} row={row} />
        </td>
      ))}
      {type.localized && (
        <td data-label={t.list.state}>
          <StateMark state={stateOf(row)} />
        </td>
      )}
      {type.scheduling &&
        TIMES.map((time) => (
          <td key={time} data-label={timeLabel(time)}>
            <ScheduledTime time={row[time]} />
          </td>
        ))}
      <td data-label={t.list.changed}>
        <When time={String(row.updatedAt)} /> {authorOf(row)}
      </td>
      {actions && <td data-label={t.list.actions}>{actions(row)}</td>}
    </tr>
  )
}

function authorOf({ updatedBy }: JsonObject): string {
  return typeof updatedBy === 'object' && updatedBy !== null && 'title' in updatedBy
    ? String(updatedBy.title ?? '')
    : ''
}
