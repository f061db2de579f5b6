import { CmsError } from '../../base/errors.ts'

const MINUTE_MS = 60_000
/** Keys that are counted at a time: more than any site has. */
const MOST_KEYS = 10_000

interface Counted {
  since: number
  calls: number
  characters: number
}

/** The limits of a key in a minute. */
export interface CallLimits {
  readonly calls: number
  readonly characters: number
}

/** Counts the calls of each key, and the characters that they write, in this process. */
export class CallCounter {
  readonly #limits: CallLimits
  readonly #byKey = new Map<string, Counted>()

  constructor(limits: CallLimits) {
    this.#limits = limits
  }

  /** Counts a call. Throws `toomany`, with the seconds to wait, where the key has used up its minute. */
  count(keyId: string, characters: number, now: number): void {
    const counted = this.#current(keyId, now)
    const isTooMuch = counted.calls >= this.#limits.calls || counted.characters + characters > this.#limits.characters
    if (isTooMuch && counted.calls > 0) throw tooMany(Math.ceil((counted.since + MINUTE_MS - now) / 1000))
    counted.calls += 1
    counted.characters += characters
  }

  #current(keyId: string, now: number): Counted {
    const known = this.#byKey.get(keyId)
    if (known !== undefined && now - known.since < MINUTE_MS) return known
    if (this.#byKey.size >= MOST_KEYS) this.#byKey.clear()
    const counted = { since: now, calls: 0, characters: 0 }
    this.#byKey.set(keyId, counted)
    return counted
  }
}

function tooMany(retryAfter: number): CmsError {
  const message = `This key has used up its calls or characters of this minute. Go on in ${retryAfter} seconds.`
  return new CmsError('toomany', message, { retryAfter })
}
