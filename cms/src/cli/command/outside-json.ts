import { dropPrototypes, excessOf, isObject, type JsonObject } from '../../base/json.ts'
import { UsageError } from './failure.ts'

/** Twice what a request may have: a document is in objects of a line. */
const MOST_LEVELS = 200

/**
 * An object of a file that anybody may have written; null where there is none. `where` names it for the person who has to mend
 * it. Throws `UsageError` for one that is nested too deeply, before it is parsed.
 */
export function outsideObject(bytes: Buffer, where: string): JsonObject | null {
  if (excessOf(bytes, { levels: MOST_LEVELS }) !== null) {
    throw new UsageError(
      `${where} is nested more than ${MOST_LEVELS} levels deep. No document is that deep: correct or remove it.`,
    )
  }
  const value = jsonOrNull(bytes.toString('utf8'))
  if (!isObject(value)) return null
  dropPrototypes(value)
  // `as`: it was JSON.
  return value as JsonObject
}

/** Parses JSON; null for a text that is none. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
