const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 26

/** A new id of 26 lower-case letters and digits, which nobody else makes. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => ALPHABET[byte & 31]).join('')
}
