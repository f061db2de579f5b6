const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_LENGTH = 10
const RANDOM_LENGTH = 16

let lastTime = 0
let lastRandom: number[] = []

/** A new id: 26 lower-case letters and digits, sortable by time, never given twice (decisions 2). */
export function newId(now: number = Date.now()): string {
  if (now > lastTime) {
    lastTime = now
    lastRandom = randomDigits()
  } else {
    increment(lastRandom)
  }
  return timeDigits(lastTime) + lastRandom.map((digit) => ALPHABET[digit]).join('')
}

/** True for text that can be a document's own id: ours, or one that a site gave to a built-in document. */
export function isId(text: string): boolean {
  return /^[a-z0-9_-]{1,64}$/i.test(text) && text !== '__proto__'
}

function randomDigits(): number[] {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH)), (byte) => byte & 31)
  digits[0] = (digits[0] ?? 0) & 15
  return digits
}

/** Within one millisecond ids count upwards, so that they stay sortable. */
function increment(digits: number[]): void {
  for (let place = digits.length - 1; place >= 0; place -= 1) {
    const next = (digits[place] ?? 0) + 1
    digits[place] = next & 31
    if (next < 32) return
  }
}

function timeDigits(time: number): string {
  let text = ''
  for (let rest = time; text.length < TIME_LENGTH; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text
  return text
}
