import { hash, randomBytes } from 'node:crypto'
/**
 * The credential of a caller (§5.4), not yet checked. `key` is an API key, `bearer` an API key or a login token,
 * `session` the session cookie, `preview` the token of a preview (§4.2b).
 */
export interface Credential {
  readonly kind: 'key' | 'bearer' | 'session' | 'preview'
  readonly secret: string
}

/** The hash under which random secrets are stored and looked up. */
export function hashOf(secret: string): string {
  return hash('sha256', secret)
}

/** 32 random bytes, as text for headers and cookies. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}
