/** How long a refused trial counts, in milliseconds, however often somebody asks meanwhile. */
const REFUSED_MS = 5_000

/** Whether a storage takes files, as its last write showed. Where that failed, or there was none, a trial shows it. */
export class WriteProof {
  #isProven = false
  #refusal: { readonly error: unknown; readonly until: number } | null = null

  /** Writes, and remembers whether that went well. Throws what `write` throws. */
  async of<T>(write: () => Promise<T>): Promise<T> {
    try {
      const result = await write()
      this.#isProven = true
      return result
    } catch (error) {
      this.#isProven = false
      throw error
    }
  }

  /** Throws why nothing can be stored, after a trial where that is not known. */
  async assert(trial: () => Promise<void>): Promise<void> {
    if (this.#isProven) return
    if (this.#refusal !== null && performance.now() < this.#refusal.until) throw this.#refusal.error
    try {
      await this.of(trial)
    } catch (error) {
      this.#refusal = { error, until: performance.now() + REFUSED_MS }
      throw error
    }
  }
}
