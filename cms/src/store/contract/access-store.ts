import type { DocId, Locale } from '../../model/terms/document.ts'
import type { Role } from '../../model/terms/roles.ts'

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
  /** The user it belongs to, if any: it never exceeds that user's role, and is revoked with them. */
  readonly userId?: string
}

/** Reads API keys. */
export interface KeyReader {
  /** The key with this hash (SHA-256, hex), revoked and expired ones too. */
  byHash(hash: string): Promise<ApiKey | null>
  /** The key with this id, revoked and expired ones too. */
  byId(id: string): Promise<ApiKey | null>
  list(): Promise<ApiKey[]>
}

/** Changes API keys. */
export interface KeyWriter {
  add(key: ApiKey, hash: string): Promise<void>
  /** False when there is no such key, or it was revoked before. */
  revoke(id: string, at: string): Promise<boolean>
}

/** A login token or a session as stored: never the secret itself, only its hash (SHA-256, hex). */
export interface Token {
  readonly hash: string
  readonly userId: string
  /** A token is sent in the `Authorization` header, a session in the cookie; neither is accepted as the other. */
  readonly kind: 'token' | 'session'
  /** Only a `complete` one authenticates. */
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
export interface TokenWriter {
  add(token: Token): Promise<void>
  /** Does nothing if it was revoked meanwhile. */
  extend(hash: string, expiresAt: string): Promise<void>
  remove(hash: string): Promise<void>
  /** Revokes all tokens, sessions and keys of a user. */
  revokeAllOf(userId: string, at: string): Promise<void>
  /** Locks accounts until the transaction ends. */
  lockAccounts(): Promise<void>
  /**
   * A user's rights have changed, or webhooks: from the commit on, all processes look up credentials and webhooks
   * again.
   */
  roleChanged(): void
  removeExpired(now: string): Promise<void>
}

/** A token that shows one draft to whoever has it, as stored (§4.2b): never the secret itself, only its hash. */
export interface Preview {
  readonly hash: string
  readonly docId: DocId
  readonly locale: Locale
  /** Who made it: it shows no more than they may see. */
  readonly maker: { readonly kind: 'user' | 'key'; readonly id: string }
  readonly createdAt: string
  readonly expiresAt: string
}

/** Reads previews. */
export interface PreviewReader {
  /** Expired ones too. */
  byHash(hash: string): Promise<Preview | null>
}

/** Changes previews. */
export interface PreviewWriter {
  add(preview: Preview): Promise<void>
  /** Revokes all previews of a document in one locale; returns how many there were. */
  revokeAllOf(docId: DocId, locale: Locale): Promise<number>
  removeExpired(now: string): Promise<void>
}

/** A clipboard on its way to another host (§4.5), as stored: never its token, only the hash. */
export interface Clipboard {
  readonly hash: string
  /** Whose it is, so that nobody stores many. */
  readonly maker: string
  readonly content: string
  readonly createdAt: string
  readonly expiresAt: string
}

/** Reads clipboards. */
export interface ClipboardReader {
  /** Whether there is one that has not expired. */
  has(hash: string, now: string): Promise<boolean>
}

/** Changes clipboards. */
export interface ClipboardWriter {
  /** Of several transactions that add clipboards, each waits here for the one before it. Call it first. */
  lock(): Promise<void>
  add(clipboard: Clipboard): Promise<void>
  /** What it holds, once: of all who ask, one gets it. Null when it was taken, has expired or never was. */
  take(hash: string, now: string): Promise<string | null>
  /** Removes what has expired, and of this maker all but the newest. */
  removeOld(maker: string, keep: number, now: string): Promise<void>
  /** Removes what has expired. */
  removeExpired(now: string): Promise<void>
}

/** What is recorded about failed attempts. Times in milliseconds. */
export interface Attempts {
  readonly key: string
  /** Failures since `since`. */
  readonly failures: number
  readonly since: number
  /** How many times in a row it was blocked, and until when it is. */
  readonly blocks: number
  readonly until: number
}

/** Reads failures to sign in. */
export interface ThrottleReader {
  /** Until when one of these keys is blocked, in milliseconds since 1970; 0 when none is known. */
  blockedUntil(keys: readonly string[]): Promise<number>
}

/** Counts failures to sign in. */
export interface ThrottleWriter {
  /** The attempts recorded under each of these keys, locked until the transaction ends. */
  lock(keys: readonly string[]): Promise<Attempts[]>
  put(attempts: Attempts): Promise<void>
  remove(key: string): Promise<void>
  /** Deletes records that are older than a time and no longer blocked at it. */
  removeBefore(time: number): Promise<void>
}
