interface Batch<Value> {
  readonly ids: Set<string>
  readonly found: Promise<ReadonlyMap<string, Value>>
}

/** Joins reads by id that are asked for in the same tick into one. */
export class JoinedReads<Value> {
  readonly #waiting = new Map<string, Batch<Value>>()

  /** The values of these ids, and perhaps of more. Calls with the same `scope` must have the same `read`. */
  read(
    scope: string,
    ids: readonly string[],
    read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<ReadonlyMap<string, Value>> {
    const batch = this.#waiting.get(scope) ?? this.#begin(scope, read)
    for (const id of ids) batch.ids.add(id)
    return batch.found
  }

  #begin(scope: string, read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>): Batch<Value> {
    const ids = new Set<string>()
    const found = nextTick().then(() => {
      this.#waiting.delete(scope)
      return read([...ids])
    })
    const batch = { ids, found }
    this.#waiting.set(scope, batch)
    return batch
  }
}

/** Resolves after the current work and the promises that it resolves. */
function nextTick(): Promise<void> {
  return new Promise((done) => process.nextTick(done))
}
