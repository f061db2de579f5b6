/**
 * The results of `work` for each item, in their order; some are made while those before are used. Once the caller
 * stops, nothing more begins.
 */
export async function* mapAhead<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  count: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting: Promise<Result>[] = []
  for await (const item of items) {
    const result = work(item)
    // Seen when its turn comes, if it does.
    result.catch(() => {})
    waiting.push(result)
    const [first] = waiting
    if (waiting.length < count || first === undefined) continue
    waiting.shift()
    yield await first
  }
  for (const result of waiting) yield await result
}

/** Begins work, a few at a time. */
export class TaskPool {
  readonly #running = new Set<Promise<void>>()
  readonly #size: number
  #failure: { readonly error: unknown } | null = null

  constructor(size: number) {
    this.#size = size
  }

  /** Resolves when the work has begun. Throws what work before has thrown. */
  async begin(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#size) await Promise.race(this.#running)
    this.#assertWell()
    const task = work().then(
      () => {},
      (error: unknown) => {
        this.#failure ??= { error }
      },
    )
    this.#running.add(task)
    void task.then(() => this.#running.delete(task))
  }

  /** Resolves when all is done. */
  async done(): Promise<void> {
    await Promise.all(this.#running)
    this.#assertWell()
  }

  #assertWell(): void {
    if (this.#failure !== null) throw this.#failure.error
  }
}
