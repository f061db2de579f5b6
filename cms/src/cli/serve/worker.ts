import type { Metric } from '../../base/metrics.ts'
import type { Environment } from '../command/environment.ts'

/** Messages of the main process to its workers. */
export type ToWorker =
  | { readonly quire: 'stop'; readonly reason: string }
  /** From now on this one does the work in the background. */
  | { readonly quire: 'background' }
  | { readonly quire: 'collect'; readonly id: number }
  | { readonly quire: 'gathered'; readonly id: number; readonly metrics: readonly Metric[] }

/** Messages of a worker to the main process. */
export type FromWorker =
  | { readonly quire: 'listening' }
  | { readonly quire: 'collected'; readonly id: number; readonly metrics: readonly Metric[] }
  /** It is asked for the metrics of all. */
  | { readonly quire: 'gather'; readonly id: number }

/** The variable by which a worker knows that it is one: its number, and of how many. */
export const WORKER_VARIABLE = 'QUIRE_WORKER'
/** Set for the worker that seeds an empty database and makes the first admin, before there are others. */
export const FIRST_VARIABLE = 'QUIRE_FIRST_WORKER'

/** How long the metrics of other workers are waited for, in milliseconds. */
const GATHER_MS = 3_000

/** This process, where it is one of several workers (`quire serve --workers`). */
export class ThisWorker {
  readonly number: number
  /** How many workers share the machine. */
  readonly count: number
  /** Whether it does, before there are others, what is done once for all. */
  readonly isFirst: boolean
  #isInBackground = false
  #stop: (reason: string) => void = () => process.exit(0)
  #collect: () => Promise<readonly Metric[]> = async () => []
  #asked = 0
  readonly #gathering = new Map<number, (metrics: readonly Metric[]) => void>()

  constructor(number: number, count: number, isFirst: boolean) {
    this.number = number
    this.count = count
    this.isFirst = isFirst
    process.on('message', (message: ToWorker) => this.#hear(message))
  }

  /** Whether it does the work in the background at present: one of all does. */
  get isInBackground(): boolean {
    return this.#isInBackground
  }

  /** Called once when the main process asks it to stop; before that, it just ends. */
  onStop(stop: (reason: string) => void): void {
    this.#stop = stop
  }

  /** Its own metrics. */
  onCollect(collect: () => Promise<readonly Metric[]>): void {
    this.#collect = collect
  }

  /** It could not start: nothing keeps the process from ending. */
  failed(): void {
    process.channel?.unref()
  }

  /** Says that it answers requests. */
  listening(): void {
    this.#send({ quire: 'listening' })
  }

  /** The metrics of all workers; only its own where the others cannot be asked. */
  async gather(): Promise<readonly Metric[]> {
    this.#asked += 1
    const id = this.#asked
    const { promise, resolve } = Promise.withResolvers<readonly Metric[] | null>()
    this.#gathering.set(id, resolve)
    const timer = setTimeout(resolve, GATHER_MS, null)
    this.#send({ quire: 'gather', id })
    const metrics = await promise
    clearTimeout(timer)
    this.#gathering.delete(id)
    return metrics ?? this.#collect()
  }

  #hear(message: ToWorker): void {
    if (message.quire === 'stop') this.#stop(message.reason)
    else if (message.quire === 'background') this.#isInBackground = true
    else if (message.quire === 'gathered') this.#gathering.get(message.id)?.(message.metrics)
    else void this.#answer(message.id)
  }

  async #answer(id: number): Promise<void> {
    this.#send({ quire: 'collected', id, metrics: await this.#collect() })
  }

  #send(message: FromWorker): void {
    if (process.connected) process.send?.(message)
  }
}

/** This process as a worker; null where nobody else serves on its behalf. */
export async function thisWorker(env: Environment): Promise<ThisWorker | null> {
  const [, number, count] = /^(\d+)\/(\d+)$/.exec(env[WORKER_VARIABLE] ?? '') ?? []
  if (number === undefined || count === undefined || process.send === undefined) return null
  return new ThisWorker(Number(number), Number(count), env[FIRST_VARIABLE] === '1')
}
