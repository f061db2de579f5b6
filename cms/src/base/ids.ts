const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

const TIME_LENGTH = 10

const RANDOM_LENGTH = 16

let lastTime = 0

let lastRandom: number[] = []

/** A new id: 26 lower-case letters and digits, unique and sortable by time (§2.10). */
export function newId(now: number = Date.now()): string {
  if (now > lastTime) {
    lastTime = now
    lastRandom = randomDigits()
  } else {
    increment(lastRandom)
  }
  return timeDigits(lastTime) + lastRandom.map((digit) => ALPHABET[digit]).join('')
}

/** The form of ids that `newId` makes. */
export const NEW_ID = /^[0-9a-z]{26}$/

/** Returns when an id of `newId` was made, in milliseconds since 1970; NaN for other texts. */
export function idTime(id: string): number {
  let time = 0
  for (const digit of id.slice(0, TIME_LENGTH)) {
    const value = ALPHABET.indexOf(digit)
    time = value < 0 ? Number.NaN : time * 32 + value
  }
  return time
}

/** Random bytes are drawn in batches, since one call costs as much as hundreds of ids. */
const random = new Uint8Array(RANDOM_LENGTH * 256)

let used = random.length

function randomDigits(): number[] {
  if (used === random.length) {
    crypto.getRandomValues(random)
    used = 0
  }
  const digits = Array.from(random.subarray(used, used + RANDOM_LENGTH), (byte) => byte & 31)
  used += RANDOM_LENGTH
  digits[0] = (digits[0] ?? 0) & 15
  return digits
}

/** Within one millisecond ids count up, so that they stay sortable. */
function increment(digits: number[]): void {
  for (let index = digits.length - 1; index >= 0; index -= 1) {
    const next = (digits[index] ?? 0) + 1
    digits[index] = next & 31
    if (next < 32) return
  }
}

function timeDigits(time: number): string {
  let text = ''
  for (let rest = time; text.length < TIME_LENGTH; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text
  return text
}
