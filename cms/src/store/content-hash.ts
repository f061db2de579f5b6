import { hash } from 'node:crypto'

/** Characters of a hash in base64: 128 bits. */
export const HASH_LENGTH = 22

/** What tells the contents of one document apart. Both databases make the same of a text, when they are migrated. */
export function contentHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, HASH_LENGTH)
}
