import { invalid } from '../../base/errors.ts'
import type { QueryValue, QueryValues } from './route.ts'

const MAX_PARAMETERS = 100
const MAX_VALUES = 100
/** Parameters that name documents by their ids: they take as many values as the site allows ids. */
const IDS: ReadonlySet<string> = new Set(['_ids', 'ids'])

/**
 * Refuses a query with more parameters or values than any route answers (§0.5), whatever way they came, and before
 * anything is done with them. Nesting is limited where queries are parsed; how long a value may be, where it is used:
 * what a route does not know is ignored, however long it is.
 */
export function checkQuery(query: QueryValues, maxIds: number): void {
  const parameters = Object.entries(query)
  if (parameters.length > MAX_PARAMETERS) throw invalid(`At most ${MAX_PARAMETERS} parameters can be sent.`)
  for (const [name, value] of parameters) {
    const most = IDS.has(name) ? maxIds : MAX_VALUES
    if (countOf(value) > most) throw invalid(`${name.slice(0, 60)} takes at most ${most} values.`)
  }
}

function countOf(value: QueryValue): number {
  if (typeof value === 'string') return 1
  let count = 0
  for (const one of Object.values(value)) count += countOf(one)
  return count
}
