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
  /** Sent again and again: it has not frozen. */
  | { readonly quire: 'alive' }
  | { readonly quire: 'collected'; readonly id: number; readonly metrics: readonly Metric[] }
  /** The database is at another version than this program knows. */
  | { readonly quire: 'outdated' }
  /** It is asked for the metrics of all. */
  | { readonly quire: 'gather'; readonly id: number }

/** The variable by which a worker knows that it is one: its number, of how many, and the port that others had. */
export const WORKER_VARIABLE = 'QUIRE_WORKER'
/** Set for the worker that seeds an empty database and makes the first admin, before there are others. */
export const FIRST_VARIABLE = 'QUIRE_FIRST_WORKER'

/** How often a worker says that it is alive, in milliseconds. */
export const ALIVE_MS = 500
/** How long the metrics of other workers are waited for, in milliseconds. */
const GATHER_MS = 3_000

/** This process, where it is one of several workers (`quire serve --workers`). */
export class ThisWorker {
  readonly number: number
  /** How many workers share the machine. */
  readonly count: number
  /** Whether it does, before there are others, what is done once for all. */
  readonly isFirst: boolean
  /** The port that workers listened on before all of them died; null where none did. */
  readonly port: number | null
  #isInBackground = false
  #stop: (reason: string) => void = () => process.exit(0)
  #collect: () => Promise<readonly Metric[]> = async () => []
  #requests = 0
  readonly #gathering = new Map<number, (metrics: readonly Metric[]) => void>()

  constructor({ number, count, isFirst, port }: Pick<ThisWorker, 'number' | 'count' | 'isFirst' | 'port'>) {
    this.number = number
    this.count = count
    this.isFirst = isFirst
    this.port = port
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

  /** Sets the function that returns the metrics of this worker. */
  onCollect(collect: () => Promise<readonly Metric[]>): void {
    this.#collect = collect
  }

  /** Lets the process end after a failed start. */
  failed(): void {
    process.channel?.unref()
  }

  /** Says that it answers requests, and from then on that it is alive. */
  listening(): void {
    this.#send({ quire: 'listening' })
    setInterval(() => this.#send({ quire: 'alive' }), ALIVE_MS).unref()
  }

  /** Says that none of the workers can serve any more: another program has migrated the database. */
  outdated(): void {
    this.#send({ quire: 'outdated' })
  }

  /** The metrics of all workers; only its own where the others cannot be asked. */
  async gather(): Promise<readonly Metric[]> {
    this.#requests += 1
    const id = this.#requests
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

/** Returns this process as a worker; null when nobody else serves on its behalf. */
export async function thisWorker(env: Environment): Promise<ThisWorker | null> {
  const [, number, count, port] = /^(\d+)\/(\d+)(?:\/(\d+))?$/.exec(env[WORKER_VARIABLE] ?? '') ?? []
  if (number === undefined || count === undefined || process.send === undefined) return null
  return new ThisWorker({
    number: Number(number),
    count: Number(count),
    isFirst: env[FIRST_VARIABLE] === '1',
    port: port === undefined ? null : Number(port),
  })
}
