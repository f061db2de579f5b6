import type { JsonObject } from 'quire-client'
import type { Failure } from '../src/data/failure.ts'
import type { Stored, Target } from '../src/data/saving/target.ts'

/** A document in memory, with `If-Match` and idempotency keys as the service has them. */
export interface MemoryTarget extends Target {
  /** What is stored; null before it is made. */
  stored: Stored | null
  /** The bodies that arrived. */
  readonly arrived: JsonObject[]
  /** So many documents were made. */
  made: number
  /** The next requests fail with these: before they arrive, or, with `isStored`, after they were carried out. */
  readonly failures: (Partial<Failure> & { readonly isStored?: boolean })[]
  /** Somebody else saves. */
  write(body: JsonObject): void
  /** Resolves requests only when it is called; from the first call on. */
  hold(): () => void
}

export function failure(given: Partial<Failure>): Failure {
  return {
    name: 'offline',
    status: 0,
    message: '',
    problems: [],
    data: {},
    requestId: null,
    retryAfter: null,
    ...given,
  }
}

export function memoryTarget(document: JsonObject | null): MemoryTarget {
  const byKey = new Map<string, Stored>()
  const arrived: JsonObject[] = []
  const failures: MemoryTarget['failures'] = []
  let count = 0
  let held: Promise<void> = Promise.resolve()
  const store = (body: JsonObject): Stored => {
    count += 1
    const { _autosave, _patches = [], ...fields } = body
    // `as`: what plain documents send.
    const all = [target.stored?.document ?? { aposDocId: 'made' }, fields, ...(_patches as JsonObject[])]
    target.stored = { document: Object.assign({}, ...all), etag: `"${count}"` }
    return target.stored
  }
  const answer = async (body: JsonObject, carryOut: () => Stored): Promise<Stored> => {
    await held
    const failing = failures.shift()
    if (failing && !failing.isStored) throw failure(failing)
    arrived.push(body)
    const stored = carryOut()
    if (failing) throw failure(failing)
    return stored
  }
  const target: MemoryTarget = {
    stored: null,
    made: 0,
    arrived,
    failures,
    save: (body, { ifMatch }) =>
      answer(body, () => {
        if (ifMatch !== target.stored?.etag) {
          throw failure({ name: 'conflict', status: 409, data: { etag: target.stored?.etag ?? '' } })
        }
        return store(body)
      }),
    create: (body, { idempotencyKey }) =>
      answer(body, () => {
        const known = byKey.get(idempotencyKey)
        if (known) return known
        target.made += 1
        const stored = store(body)
        byKey.set(idempotencyKey, stored)
        return stored
      }),
    async read() {
      await held
      if (!target.stored) throw failure({ name: 'notfound', status: 404 })
      return target.stored
    },
    write: (body) => void store(body),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
  }
  if (document) store(document)
  return target
}
