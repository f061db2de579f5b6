import { createHash } from 'node:crypto'

/**
 * The aposDocId of a document that the service creates itself: the same on every machine, so that it is created once.
 */
export function fixedId(name: string): string {
  return `s${createHash('sha256').update(name).digest('hex').slice(0, 25)}`
}
