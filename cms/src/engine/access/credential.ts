/**
 * What a caller authenticates with (§5.4), not yet checked. `key` is an API key, `bearer` an API key or a login token,
 * `session` the session cookie, `preview` the token of a preview (§4.2b).
 */
export interface Credential {
  readonly kind: 'key' | 'bearer' | 'session' | 'preview'
  readonly secret: string
}
