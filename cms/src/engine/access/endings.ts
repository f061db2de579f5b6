import type { Store } from '../../store/store.ts'

/** How often to look whether somebody has ended a credential, in milliseconds. */
const LOOK = 300
/** How long nothing has to be asked before looking stops. */
const IDLE = 10_000

/**
 * Knows whether credentials were ended by other processes, without asking for each request: as long as credentials come
 * in, it looks several times a second, and tells when one of them may have ended.
 */
export class Endings {
  readonly #store: Store
  readonly #whenEnded: () => void
  #value: string | null = null
  #checkedAt = 0
  #neededAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(store: Store, whenEnded: () => void) {
    this.#store = store
    this.#whenEnded = whenEnded
  }

  /** When it was last certain that nothing had ended since it was told, in milliseconds. Goes on looking. */
  checkedAt(now: number): number {
    this.#neededAt = now
    this.#timer ??= this.#lookLater(0)
    return this.#checkedAt
  }

  #lookLater(delay: number): NodeJS.Timeout {
    return setTimeout(() => void this.#look(), delay).unref()
  }

  async #look(): Promise<void> {
    const startedAt = Date.now()
    // Null: it cannot be known just now, and so it counts as if something had ended.
    const value = await this.#store.endings().catch(() => null)
    if (value === null || value !== this.#value) this.#whenEnded()
    this.#value = value
    if (value !== null) this.#checkedAt = startedAt
    const isNeeded = value !== null && startedAt - this.#neededAt < IDLE
    this.#timer = isNeeded ? this.#lookLater(LOOK) : undefined
  }
}
