import type { JsonObject } from '../../base/json.ts'
import type { ColumnKind, TableShape } from '../../store/database/tables.ts'

/** What is wrong with a row of a backup, so that its table could not take it; null when nothing is. */
export function mistakeIn(row: JsonObject, { name, columns }: TableShape): string | null {
  const known = new Set(columns.map((column) => column.name))
  const unknown = Object.keys(row).find((key) => !known.has(key))
  if (unknown !== undefined)
    return `a row of the table ${name} has the column ${unknown}, which that table does not have`
  for (const column of columns) {
    const cell = row[column.name]
    if (cell === undefined) return `a row of the table ${name} lacks the column ${column.name}`
    if (cell === null ? column.isRequired : !FITS[column.kind](cell)) {
      return `a row of the table ${name} has a wrong value in the column ${column.name}: ${EXPECTED[column.kind]} is expected`
    }
  }
  return null
}

const isText = (cell: unknown) => typeof cell === 'string'

const FITS: Readonly<Record<ColumnKind, (cell: unknown) => boolean>> = {
  text: isText,
  integer: (cell) => Number.isSafeInteger(cell),
  number: (cell) => typeof cell === 'number',
  bytes: (cell) => typeof cell === 'string' && /^([\da-f]{2})*$/i.test(cell),
}

const EXPECTED: Readonly<Record<ColumnKind, string>> = {
  text: 'a text',
  integer: 'a whole number',
  number: 'a number',
  bytes: 'an even count of hexadecimal digits',
}
