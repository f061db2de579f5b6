import { isObject } from '../../base/json.ts'
import type { ChangeRow } from '../../model/changes/content-change.ts'

const VERBS = { added: 'Added', modified: 'Changed', deleted: 'Removed' } as const

/** Rows of changes as sentences, one on each line. */
export function sentencesOf(rows: readonly ChangeRow[]): string {
  return rows.length === 0 ? 'Nothing is different.' : rows.map(sentenceOf).join('\n')
}

function sentenceOf(row: ChangeRow): string {
  const place = row.path.map(({ label, name, ordinal }) => stepText(label, name, ordinal)).join(' › ')
  const by = row.ai === false ? '' : row.ai === 'assisted' ? ' (by AI, changed by a person)' : ' (by AI)'
  return `- ${VERBS[row.type]} ${place} [${pathOf(row)}]${by}${textsOf(row)}`
}

function stepText(label: string, name: string, ordinal: number | undefined): string {
  return ordinal === undefined ? label || name : `${label} ${ordinal}`
}

/** The place as problems and patches name it. */
export function pathOf({ path }: Pick<ChangeRow, 'path'>): string {
  return path.map(({ name }) => name).join('.')
}

function textsOf({ oldText, newText, diff, type, kind, old }: ChangeRow): string {
  if (diff !== undefined) return `: ${diffText(diff)}`
  // Nothing else says what it was, and it may be put back.
  if (type === 'deleted' && (kind === 'widget' || kind === 'arrayItem')) return `: ${JSON.stringify(old)}`
  if (type === 'added') return newText === '' ? '' : `: ${JSON.stringify(newText)}`
  if (type === 'deleted') return oldText === '' ? '' : `: ${JSON.stringify(oldText)}`
  return oldText === newText ? '' : `: ${JSON.stringify(oldText)} is now ${JSON.stringify(newText)}`
}

/** Words as they were and are: `the [-old-] [+new+] words`. */
function diffText(diff: NonNullable<ChangeRow['diff']>): string {
  return diff
    .map(({ text, change }) => (change === 'same' ? text : change === 'added' ? `[+${text}+]` : `[-${text}-]`))
    .join('')
}

/** The rows in the answer of a route. */
export function rowsIn(body: unknown): readonly ChangeRow[] {
  // `as`: routes answer rows as the engine makes them.
  return isObject(body) && Array.isArray(body.rows) ? (body.rows as readonly ChangeRow[]) : []
}
