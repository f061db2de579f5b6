import { createCipheriv, createHmac } from 'node:crypto'
import type { Name } from '../store/contract/store.ts'

/** The tag of all answers. */
export const EVERYTHING = 'everything'
/** The tag of answers that any commit may change. */
export const ANYTHING = 'anything'

const BLOCK = 16

/**
 * The tags of names, for a cache in front of the site (§6.8): short, the same in all processes of one database, and
 * without a way back for those who do not have its secret.
 */
export class Tags {
  readonly #key: Buffer

  /** `secret`: that of the database. */
  constructor(secret: Buffer) {
    this.#key = createHmac('sha256', secret).update('tags of answers').digest()
  }

  /** One tag for each name, of at most seven lower case letters and digits. */
  of(names: Iterable<Name>): string[] {
    const listed = [...names]
    const blocks = Buffer.alloc(listed.length * BLOCK)
    for (const [index, name] of listed.entries()) blocks.writeInt32LE(name, index * BLOCK)
    // Each block by itself: equal names have equal tags.
    const cipher = createCipheriv('aes-256-ecb', this.#key, null).setAutoPadding(false)
    const encrypted = cipher.update(blocks)
    return listed.map((_, index) => encrypted.readUInt32LE(index * BLOCK).toString(36))
  }
}
