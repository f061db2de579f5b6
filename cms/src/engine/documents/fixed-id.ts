import { createHash } from 'node:crypto'

/** The aposDocId of a document that the service makes by itself: the same on every machine, so that two starts make one. */
export function fixedId(name: string): string {
  return `s${createHash('sha256').update(name).digest('hex').slice(0, 25)}`
}
