import { newId } from '../../base/ids.ts'
import type { Context } from '../../engine/context.ts'
import type { AgentCall } from '../../store/contract/store.ts'

/** The most calls that wait to be recorded; more come only from a database that takes none. */
const MOST_WAITING = 10_000

/** Records the calls of agents, without what they said, while they are already answered. */
export class CallLog {
  readonly #waiting: AgentCall[] = []
  #writing: Promise<void> | null = null

  note({ store, log, now }: Context, call: Omit<AgentCall, 'id' | 'at'>): void {
    if (this.#waiting.length >= MOST_WAITING) return
    this.#waiting.push({ ...call, id: newId(), at: now().getTime() })
    this.#writing ??= this.#write({ store, log }).finally(() => {
      this.#writing = null
    })
  }

  /** Resolves when all calls so far are recorded. */
  async written(): Promise<void> {
    await this.#writing
  }

  async #write({ store, log }: Pick<Context, 'store' | 'log'>): Promise<void> {
    while (this.#waiting.length > 0) {
      const calls = this.#waiting.splice(0, 500)
      try {
        await store.transaction(({ agentCalls }) => agentCalls.add(calls))
      } catch (error) {
        log.warn({ error, calls: calls.length }, 'Calls of agents could not be recorded.')
      }
    }
  }
}
