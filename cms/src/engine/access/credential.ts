/**
 * What a caller sent to say who they are, not yet checked (decisions 1). `key`: sent as an API key; `bearer`: an API key
 * or a login token; `session`: the session cookie.
 */
export interface Credential {
  readonly kind: 'key' | 'bearer' | 'session'
  readonly secret: string
}
