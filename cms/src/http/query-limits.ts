import { invalid } from '../base/errors.ts'
import { lengthOf } from '../base/text.ts'
import type { QueryValue, QueryValues } from './route.ts'

const MAX_PARAMETERS = 100
const MAX_VALUES = 100
const MAX_LENGTH = 1000
/** Parameters that name documents by their ids: they take as many values as the site allows ids. */
const IDS: ReadonlySet<string> = new Set(['_ids', 'ids'])

/**
 * Refuses a query that asks for more than any route answers (§0.5), whatever way its
 * parameters came, and before anything is done with them. Nesting is limited where queries are parsed.
 */
export function checkQuery(query: QueryValues, maxIds: number): void {
  const parameters = Object.entries(query)
  if (parameters.length > MAX_PARAMETERS) throw invalid(`At most ${MAX_PARAMETERS} parameters can be sent.`)
  for (const [name, value] of parameters) {
    const most = IDS.has(name) ? maxIds : MAX_VALUES
    if (countOf(name, value) > most) throw invalid(`${shown(name)} takes at most ${most} values.`)
  }
}

/** How many values a parameter has. Throws `invalid` when one of them, or a name in brackets, is too long. */
function countOf(name: string, value: QueryValue): number {
  if (typeof value === 'string') {
    assertShort(name, value)
    return 1
  }
  let count = 0
  for (const [key, one] of Object.entries(value)) {
    assertShort(name, key)
    count += countOf(name, one)
  }
  return count
}

function assertShort(name: string, text: string): void {
  if (lengthOf(text) > MAX_LENGTH) throw invalid(`${shown(name)} takes at most ${MAX_LENGTH} characters.`)
}

/** A name as an error message quotes it. */
function shown(name: string): string {
  return name.slice(0, 60)
}
