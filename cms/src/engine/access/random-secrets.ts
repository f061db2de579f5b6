import { hash, randomBytes } from 'node:crypto'

/** The hash under which random secrets are stored and looked up. */
export function hashOf(secret: string): string {
  return hash('sha256', secret)
}

/** 32 random bytes, as text for headers and cookies. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}
