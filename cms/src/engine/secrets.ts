import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const MEMORY_KIB = 19_456
const PASSES = 2
const derive = promisify(argon2)

/** The argon2id hash of a secret, in the usual text form with its parameters and salt. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await tagOf(secret, salt)
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${text(salt)}$${text(tag)}`
}

/** True when the secret is the one that was hashed. Takes the same time either way. */
export async function isSecret(secret: string, hash: string): Promise<boolean> {
  const [, kind, , , salt = '', tag = ''] = hash.split('$')
  if (kind !== 'argon2id') return false
  const expected = Buffer.from(tag, 'base64')
  const actual = await tagOf(secret, Buffer.from(salt, 'base64'))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

function tagOf(secret: string, salt: Buffer): Promise<Buffer> {
  const parameters = { message: secret, nonce: salt, parallelism: 1, tagLength: 32, memory: MEMORY_KIB, passes: PASSES }
  return derive('argon2id', parameters)
}

function text(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
