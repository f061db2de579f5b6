import type { JsonObject } from 'quire-client'
import type { Operation } from './form.ts'

/** An operation, and when it was done. */
export interface Logged {
  readonly revision: number
  readonly operation: Operation
  /** The document after it. */
  readonly values: JsonObject
}

/** The operations that are not stored yet, in their order. */
export class OperationLog {
  #entries: readonly Logged[] = []

  add(entry: Logged): void {
    this.#entries = [...this.#entries, entry]
  }

  /** The operations after a revision. */
  since(revision: number): readonly Operation[] {
    return this.#entries.filter((one) => one.revision > revision).map(({ operation }) => operation)
  }

  /** The document as it was after a revision; undefined where nothing of that waits to be stored. */
  valuesAt(revision: number): JsonObject | undefined {
    return this.#entries.findLast((one) => one.revision <= revision)?.values
  }

  /** Drops the operations that are stored. */
  forget(isStored: (entry: Logged) => boolean): void {
    this.#entries = this.#entries.filter((entry) => !isStored(entry))
  }
}
