import type { Role } from '../model/roles.ts'

/** An API key as stored: never the key itself, only its hash. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** Every save with it is marked as AI-written. */
  readonly ai: boolean
  /** Its writes go to the draft, and it publishes nothing. */
  readonly draftsOnly: boolean
  readonly createdAt: string
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** The user it belongs to, if any: it never has more than that user's role, and ends with them. */
  readonly userId?: string
}

/** Reads API keys. */
export interface KeyReader {
  /** The key with this hash (SHA-256, hex), revoked and expired ones too. */
  byHash(hash: string): Promise<ApiKey | null>
  list(): Promise<ApiKey[]>
}

/** Changes API keys. */
export interface KeyWriter extends KeyReader {
  add(key: ApiKey, hash: string): Promise<void>
  /** False when there is no such key, or it was revoked before. */
  revoke(id: string, at: string): Promise<boolean>
}

/** A login token or a session as stored: never the secret itself, only its hash (SHA-256, hex). */
export interface Token {
  readonly hash: string
  readonly userId: string
  /** A token is sent in the `Authorization` header, a session in the cookie; neither is taken for the other. */
  readonly kind: 'token' | 'session'
  /** Only what is `complete` says who somebody is. */
  readonly state: 'pending' | 'complete'
  readonly createdAt: string
  readonly expiresAt: string
}

/** Reads login tokens and sessions. */
export interface TokenReader {
  /** Whatever its state, expired ones too. */
  byHash(hash: string): Promise<Token | null>
}

/** Changes login tokens and sessions. */
export interface TokenWriter extends TokenReader {
  add(token: Token): Promise<void>
  /** Does nothing to one that has ended meanwhile. */
  extend(hash: string, expiresAt: string): Promise<void>
  remove(hash: string): Promise<void>
  /** Revokes all tokens, sessions and keys of a user. */
  revokeAllOf(userId: string, at: string): Promise<void>
  /** Until the transaction ends nobody else decides about accounts. */
  holdAccounts(): Promise<void>
  /** What somebody may do has changed: with the commit all processes look up anew whose credential is whose. */
  roleChanged(): void
  removeExpired(now: string): Promise<void>
}

/** What is remembered of failed attempts. Times in milliseconds. */
export interface Attempts {
  readonly key: string
  /** Failures since `since`. */
  readonly failures: number
  readonly since: number
  /** How often it was blocked in a row, and until when it is. */
  readonly blocks: number
  readonly until: number
}

/** Reads failures to sign in. */
export interface ThrottleReader {
  /** Until when one of these keys is blocked, in milliseconds since 1970; 0 when none is known. */
  blockedUntil(keys: readonly string[]): Promise<number>
}

/** Counts failures to sign in. */
export interface ThrottleWriter extends ThrottleReader {
  /** What is counted under each of these keys, held until the transaction ends. */
  hold(keys: readonly string[]): Promise<Attempts[]>
  put(attempts: Attempts): Promise<void>
  remove(key: string): Promise<void>
  /** Forgets what is neither newer nor blocked later than a time. */
  removeBefore(time: number): Promise<void>
}
