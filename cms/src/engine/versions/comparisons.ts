import { createHash } from 'node:crypto'
import type { Steps } from 'quire-diff'
import { CacheMemory, LastingCache } from '../../base/bounded-cache.ts'
import { oncePer } from '../../base/lazy.ts'
import { Semaphore } from '../../base/semaphore.ts'
import { inTurns } from '../../base/turns.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Context } from '../context.ts'

/** Steps of comparing that one answer may take, of about a millisecond each. */
const MOST_STEPS = 2_000
/** Steps that short texts may always take, even when other texts have used up the budget. */
const STEPS_OF_SHORT = 20
const MAX_BYTES = 16_000_000

/** Two texts to compare, and the kind of comparison. */
interface Compared {
  readonly purpose: string
  readonly older: string
  readonly newer: string
}

/** The result of comparing two texts, and the number of its steps. */
interface Made {
  readonly result: unknown
  readonly steps: number
}

/** Results, which stay true for ever. */
const made = new LastingCache<Made>({
  memory: new CacheMemory(MAX_BYTES),
  bytesOf: ({ result }) => 2 * JSON.stringify(result).length,
})

/**
 * How much may still be compared for one answer. What was compared before is cached, and counts as much as it did then:
 * an answer does not depend on what others have asked.
 */
export class ComparisonBudget {
  #left = MOST_STEPS

  /** The result of comparing two texts; null when it takes more than is left. Lets others run between its steps. */
  async spend<Result>(compared: Compared, work: () => Steps<Result>): Promise<Result | null> {
    const most = Math.max(this.#left, STEPS_OF_SHORT)
    const key = keyOf(compared)
    const known = made.get(key) ?? (await inTurns(work(), most))
    if (known && known.steps <= most) {
      this.#left -= known.steps
      made.set(key, known)
      // `as`: the purpose says what was made.
      return known.result as Result
    }
    this.#left = 0
    return null
  }
}

function keyOf({ purpose, older, newer }: Compared): string {
  const lengths = `${purpose} ${older.length} ${newer.length} `
  return lengths + createHash('sha256').update(older).update(newer).digest('base64')
}

/** By site and caller: what they compare at a time. */
const callersOf = oncePer<Site, Map<string, Semaphore>>(() => new Map())

/** Compares for a caller when what they asked for before was answered: one after another. */
export async function oneAtATime<Result>(
  { site, actor }: Pick<Context, 'site' | 'actor'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const waiting = callersOf(site)
  const caller = 'id' in actor ? `${actor.kind} ${actor.id}` : actor.kind
  const turn = waiting.get(caller) ?? new Semaphore(1)
  waiting.set(caller, turn)
  try {
    return await turn.run(work)
  } finally {
    if (turn.isIdle) waiting.delete(caller)
  }
}
