import { missingDeclarations } from './css.ts'
import { missingKeys, selected } from './selections.ts'

/** One way in which our answer is less than the recorded one. */
export interface Difference {
  /** Dotted; empty for the status. Indexes of arrays are left out: `results.slug`. */
  readonly path: string
  readonly problem: string
}

export interface Answer {
  readonly status: number
  /** Parsed when it is JSON, else text. */
  readonly body: unknown
}

type Values = Readonly<Record<string, unknown>>

/** Properties that need not be answered. */
const INTERNALS = new Set([
  'highSearchText',
  'highSearchWords',
  'lowSearchText',
  'searchSummary',
  'titleSortified',
  'cacheInvalidatedAt',
  'scopedArrayName',
  'scopedObjectName',
  'aposPlaceholder',
])

/**
 * Lists what our answer lacks: another class of status, a missing property, another type of value. More is never a
 * difference. Bodies are compared when both succeeded: failures have a shape of their own (§0.2).
 */
export function differences(
  recorded: { readonly status: number; readonly contentType?: string; readonly response: unknown },
  ours: Answer,
): Difference[] {
  if (statusClass(recorded.status) !== statusClass(ours.status)) {
    return [{ path: '', problem: `status ${ours.status}, recorded ${recorded.status}` }]
  }
  if (statusClass(recorded.status) === 3) return []
  const isPage = typeof recorded.response === 'string' && typeof ours.body === 'string'
  if (recorded.status >= 300)
    return isFailure(ours.body) || isPage ? [] : [{ path: '', problem: 'a failure without name, message and data' }]
  if (recorded.contentType?.startsWith('text/css')) return cssDifferences(recorded.response, ours.body)
  const found: Difference[] = []
  if (recorded.response !== '') compare(recorded.response, selected(recorded.response, ours.body), [], found)
  for (const name of missingKeys(recorded.response, ours.body)) {
    if (!INTERNALS.has(name)) found.push({ path: name, problem: 'missing' })
  }
  const first = new Map(found.map((difference) => [`${difference.path} ${difference.problem}`, difference]))
  return [...first.values()]
}

/** Some CSS was recorded together with its classes, which our answers do not have (§4.7). */
function cssDifferences(recorded: unknown, ours: unknown): Difference[] {
  const css = isRecord(recorded) ? recorded.css : recorded
  if (typeof ours !== 'string') return [{ path: '', problem: `${kind(ours)}, recorded CSS` }]
  return missingDeclarations(String(css), ours).map((path) => ({ path, problem: 'missing, or another value' }))
}

function compare(recorded: unknown, ours: unknown, path: readonly string[], found: Difference[]): void {
  if (recorded === null || isCut(recorded)) return
  const report = (problem: string) => found.push({ path: path.join('.'), problem })
  if (kind(recorded) !== kind(ours)) report(`${kind(ours)}, recorded ${kind(recorded)}`)
  else if (Array.isArray(recorded) && Array.isArray(ours)) compareItems(recorded, ours, path, found)
  else if (isRecord(recorded) && isRecord(ours)) compareProperties(recorded, ours, path, found)
}

function compareProperties(recorded: Values, ours: Values, path: readonly string[], found: Difference[]): void {
  for (const [name, value] of Object.entries(recorded)) {
    if (INTERNALS.has(name) || name.includes('{{')) continue
    if (Object.hasOwn(ours, name)) compare(value, ours[name], [...path, name], found)
    else found.push({ path: [...path, name].join('.'), problem: 'missing' })
  }
}

function compareItems(
  recorded: readonly unknown[],
  ours: readonly unknown[],
  path: readonly string[],
  found: Difference[],
) {
  const whole = recorded.filter((item) => !isCut(item))
  if (whole.length > 0 && ours.length === 0)
    found.push({ path: path.join('.'), problem: `no items, recorded ${whole.length}` })
  for (const [index, item] of whole.entries()) {
    if (index < ours.length) compare(item, ours[index], path, found)
  }
}

/** Long values were cut in the recordings: `{…}`, `…(5 items in all)`. */
function isCut(value: unknown): boolean {
  return typeof value === 'string' && (value === '{…}' || /^…\(\d+ items in all\)$/.test(value))
}

function kind(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function isRecord(value: unknown): value is Values {
  return kind(value) === 'object'
}

function isFailure(body: unknown): boolean {
  return isRecord(body) && typeof body.name === 'string' && typeof body.message === 'string' && isRecord(body.data)
}

function statusClass(status: number): number {
  return Math.floor(status / 100)
}
