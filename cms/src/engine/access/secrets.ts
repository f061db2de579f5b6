import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import { isObject, type Json } from '../../base/json.ts'

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
  return crypto.hash('sha256', secret)
}

/** 32 random bytes, as text for headers and cookies. */
export function newSecret(): string {
  return crypto.randomBytes(32).toString('base64url')
}

/** When a secret is issued, and until when it is valid; ISO 8601. */
export function validFor(now: Date, milliseconds: number): { readonly createdAt: string; readonly expiresAt: string } {
  return { createdAt: now.toISOString(), expiresAt: new Date(now.getTime() + milliseconds).toISOString() }
}

const MEMORY_KIB = 19_456
const PASSES = 2
const TAG_LENGTH = 32
const ARGON2ID = 2

/** Node.js has argon2 of its own from 24.7 on; before that, undefined. */
const builtIn: typeof crypto.argon2 | undefined = crypto.argon2

/** The argon2id hash of a secret, in the usual encoding with parameters and salt. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = crypto.randomBytes(16)
  const tag = await tagOf(secret, salt)
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${text(salt)}$${text(tag)}`
}

/** True when the hash is that of the secret. Takes the same time either way. */
export async function isSecret(secret: string, hash: string): Promise<boolean> {
  const [, kind, , , salt = '', tag = ''] = hash.split('$')
  if (kind !== 'argon2id') return false
  const expected = Buffer.from(tag, 'base64')
  const actual = await tagOf(secret, Buffer.from(salt, 'base64'))
  return expected.length === actual.length && crypto.timingSafeEqual(expected, actual)
}

/** True for what `hashSecret` makes. */
export function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$/.test(value)
}

/** Removes the hashes of secrets at any depth; by what names they were there. */
export function dropHashes(value: Json): string[] {
  if (!isObject(value) && !Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!isHash(inner)) return dropHashes(inner)
    Reflect.deleteProperty(value, name)
    return [name]
  })
}

async function tagOf(secret: string, salt: Buffer): Promise<Buffer> {
  if (builtIn) {
    const sizes = { parallelism: 1, tagLength: TAG_LENGTH, memory: MEMORY_KIB, passes: PASSES }
    return promisify(builtIn)('argon2id', { message: secret, nonce: salt, ...sizes })
  }
  const { hashRaw } = await import('@node-rs/argon2')
  const sizes = { parallelism: 1, outputLen: TAG_LENGTH, memoryCost: MEMORY_KIB, timeCost: PASSES }
  return hashRaw(secret, { algorithm: ARGON2ID, salt, ...sizes })
}

function text(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
