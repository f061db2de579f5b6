import { MINUTE_MS } from '../../base/durations.ts'
import { CmsError } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { write } from '../../engine/write.ts'
import type { AgentMinute } from '../../store/contract/store.ts'

/** A process takes so much of the calls of a minute at a time, so that few calls need a statement. */
const PART = 1 / 20
/** Keys that are counted at a time in one process: more than any site has. */
const MOST_KEYS = 10_000

/** The limits of a key in a minute. */
interface CallLimits {
  readonly calls: number
  readonly characters: number
}

/** Calls that this process may still let through without asking, for reading. */
interface Taken {
  calls: number
  readonly until: number
  /** All of the minute is taken, by this process or others. */
  readonly isUsedUp: boolean
}

/**
 * Counts the calls of each key, and the characters that they write, for all processes together. Never more than the
 * limits are let through; where several processes answer one key, what one of them has taken and not used is lost.
 */
export class CallCounter {
  readonly #limits: CallLimits
  readonly #byKey = new Map<string, Taken>()

  constructor(limits: CallLimits) {
    this.#limits = limits
  }

  /**
   * Counts a call. Throws `toomany`, with the seconds to wait, where the key has used up its minute. A call that writes
   * nothing needs a transaction only once in a twentieth of the limit, and none where the key has no calls left.
   */
  async count(ctx: Context, keyId: string, characters: number): Promise<void> {
    const now = ctx.now().getTime()
    const known = this.#byKey.get(keyId)
    const taken = known && now < known.until ? known : null
    if (characters === 0 && taken && taken.calls > 0) taken.calls -= 1
    else if (taken?.isUsedUp) throw tooMany(taken.until - now)
    else await this.#take(ctx, keyId, characters)
  }

  async #take(ctx: Context, keyId: string, characters: number): Promise<void> {
    const now = ctx.now().getTime()
    const { calls, until, isUsedUp } = await write(ctx, async ({ tx }) => {
      const minute = current(await tx.agentMinutes.lock(keyId), now)
      const calls = this.#granted(minute, characters)
      const used = { calls: minute.calls + calls, characters: minute.characters + characters }
      if (calls > 0) await tx.agentMinutes.put({ ...minute, ...used })
      return { calls, until: minute.since + MINUTE_MS, isUsedUp: minute.calls >= this.#limits.calls }
    })
    this.#keep(keyId, { calls: Math.max(0, calls - 1), until, isUsedUp })
    if (calls === 0) throw tooMany(until - now)
  }

  /**
   * How many calls a process gets: those that write one, since their characters are counted each time. 0 for none; the
   * first of a minute is let through whatever it writes.
   */
  #granted({ calls, characters: written }: AgentMinute, characters: number): number {
    const { calls: most, characters: mostCharacters } = this.#limits
    const isTooMuch = calls >= most || written + characters > mostCharacters
    if (isTooMuch && calls > 0) return 0
    const part = characters > 0 ? 1 : Math.floor(most * PART)
    return Math.max(1, Math.min(part, most - calls))
  }

  /** Adds to what is left of the same minute. */
  #keep(keyId: string, taken: Taken): void {
    const before = this.#byKey.get(keyId)
    const left = before?.until === taken.until ? before.calls : 0
    if (this.#byKey.size >= MOST_KEYS) this.#byKey.clear()
    this.#byKey.set(keyId, { ...taken, calls: left + taken.calls })
  }
}

/** The minute that a key is in: the one that is known, or a new one. */
function current(known: AgentMinute, now: number): AgentMinute {
  return now - known.since < MINUTE_MS ? known : { keyId: known.keyId, since: now, calls: 0, characters: 0 }
}

function tooMany(milliseconds: number): CmsError {
  const retryAfter = Math.ceil(milliseconds / 1000)
  const message = `This key has used up its calls or characters of this minute. Go on in ${retryAfter} seconds.`
  return new CmsError('toomany', message, { retryAfter })
}
