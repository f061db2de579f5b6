import cluster, { type Worker } from 'node:cluster'
import type { Log } from '../../base/log.ts'
import { type Metric, single } from '../../base/metrics.ts'
import { ALIVE_MS, FIRST_VARIABLE, type FromWorker, type ToWorker, WORKER_VARIABLE } from './worker.ts'

/** How long to wait before a worker that died is started again: twice as long each time. */
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 30_000
const LONGEST_ALONE_MS = 1_000
/** A worker that has lived so long is started again as if it were the first time. */
const SETTLED_MS = 60_000
/** A worker that is silent for so long has frozen: it is ended within five seconds, and started again. */
const FROZEN_MS = 4_000
/** How long a worker may take to send its metrics. */
const COLLECT_MS = 2_000
/** How much longer than running requests get a worker may take to end: a part of it that hangs gets a second. */
const CLOSE_MS = 10_000

/** One of the workers, whichever process it is at present. */
interface Slot {
  readonly number: number
  worker: Worker | null
  isListening: boolean
  startedAt: number
  /** When it last said that it is alive. */
  heardAt: number
  /** How often in a row it died soon. */
  failures: number
  restart: NodeJS.Timeout | undefined
}

/** How workers stop. */
interface WorkersOptions {
  /** For how long workers that are asked to stop go on with running requests, in milliseconds. */
  readonly stopMs: number
  /** The process has inherited the socket: the system closes it here when no worker is left, and its parent has it still. */
  readonly isSocketInherited: boolean
}

/**
 * Several processes that serve on one address (§0.11): connections are handed to one after another. The first does what
 * is done once for all; when it answers requests, the others are started. One that dies is started again. Where the
 * first cannot start, all of it ends, with its exit code. One that does not stop in time is killed.
 */
export class Workers {
  readonly #log: Log
  readonly #slots: readonly Slot[]
  readonly #options: WorkersOptions
  #isComplete = false
  #stopping: string | null = null
  #code = 0
  #restarts = 0
  /** The port they listened on; the system closed it when all of them had died, and it is to be this one again. */
  #port: number | null = null
  #haveAllDied = false
  #background: Slot | null = null
  #requests = 0
  readonly #answers = new Map<string, (metrics: readonly Metric[]) => void>()
  readonly #ended: (code: number) => void
  /** Resolves when no worker is left: the exit code. */
  readonly ended: Promise<number>

  constructor(count: number, options: WorkersOptions, log: Log) {
    this.#log = log
    this.#options = options
    this.#slots = Array.from({ length: count }, (_, index) => ({
      number: index + 1,
      worker: null,
      isListening: false,
      startedAt: 0,
      heardAt: 0,
      failures: 0,
      restart: undefined,
    }))
    const { promise, resolve } = Promise.withResolvers<number>()
    this.ended = promise
    this.#ended = resolve
  }

  /** Starts the first worker, and the others as soon as it answers requests. */
  start(): void {
    const [first] = this.#slots
    if (first !== undefined) this.#fork(first)
    this.#watchAll()
  }

  /** Asks all to stop gracefully; ends those that hang. */
  stop(reason: string): void {
    if (this.#stopping !== null) return
    this.#stopping = reason
    for (const { worker, restart } of this.#slots) {
      clearTimeout(restart)
      if (worker !== null) send(worker, { quire: 'stop', reason })
    }
    setTimeout(() => this.#endOverdue(), this.#options.stopMs + CLOSE_MS)
    this.#endWhenNoneIsLeft()
  }

  /** Ends all at once. */
  kill(): void {
    for (const { worker } of this.#slots) worker?.process.kill('SIGKILL')
  }

  /** The metrics of all workers, each with its number as a label, and of the workers themselves. */
  async metrics(): Promise<readonly Metric[]> {
    const listening = this.#slots.filter((slot) => slot.isListening)
    const collected = await Promise.all(listening.map((slot) => this.#collect(slot)))
    return [
      ...collected.flat(),
      single('gauge', 'quire_workers', 'Workers that answer requests.', listening.length),
      single('counter', 'quire_worker_restarts_total', 'Workers that died and were started again.', this.#restarts),
    ]
  }

  #fork(slot: Slot): void {
    const count = this.#slots.length
    const first = this.#isComplete ? {} : { [FIRST_VARIABLE]: '1' }
    const port = this.#haveAllDied && this.#port !== null ? `/${this.#port}` : ''
    const worker = cluster.fork({ [WORKER_VARIABLE]: `${slot.number}/${count}${port}`, ...first })
    closeWithIt(worker)
    slot.worker = worker
    slot.startedAt = performance.now()
    worker.on('message', (message: FromWorker) => this.#hear(slot, worker, message))
    worker.once('listening', ({ port }) => {
      this.#port ??= port
      if (port !== this.#port) this.#listensElsewhere(worker)
    })
    worker.once('exit', (code, signal) => this.#gone(slot, code, signal))
    worker.on('error', (error) => {
      // One that has been stopped, too, may end before the message arrives.
      if (this.#stopping === null)
        this.#log.warn({ error, worker: slot.number }, 'A message could not be sent to a worker.')
    })
  }

  /** Ends workers that have frozen. When this process was the one that could do nothing, they get their time again. */
  #watchAll(): void {
    let lookedAt = performance.now()
    setInterval(() => {
      const now = performance.now()
      const wasBusy = now - lookedAt > 3 * ALIVE_MS
      lookedAt = now
      for (const slot of this.#slots) {
        if (wasBusy) slot.heardAt = now
        if (this.#stopping !== null || !slot.isListening || now - slot.heardAt < FROZEN_MS) continue
        this.#log.error({ worker: slot.number }, 'A worker does not respond; it is ended.')
        slot.heardAt = now
        slot.worker?.process.kill('SIGKILL')
      }
    }, ALIVE_MS).unref()
  }

  #hear(slot: Slot, worker: Worker, message: FromWorker): void {
    slot.heardAt = performance.now()
    if (message.quire === 'listening') this.#listens(slot)
    else if (message.quire === 'outdated') this.#endOutdated()
    else if (message.quire === 'collected') this.#answers.get(`${slot.number} ${message.id}`)?.(message.metrics)
    else if (message.quire === 'gather')
      void this.metrics().then((metrics) => send(worker, { quire: 'gathered', id: message.id, metrics }))
  }

  /** Started again, they would not start. */
  #endOutdated(): void {
    this.#code = Math.max(this.#code, 1)
    this.stop('outdated')
  }

  #listens(slot: Slot): void {
    slot.isListening = true
    if (this.#background === null) this.#giveBackground(slot)
    if (this.#isComplete) return
    this.#isComplete = true
    if (this.#stopping === null) for (const other of this.#slots) if (other.worker === null) this.#fork(other)
  }

  #giveBackground(slot: Slot | null): void {
    this.#background = slot
    if (slot?.worker) send(slot.worker, { quire: 'background' })
  }

  #gone(slot: Slot, code: number | null, signal: string | null): void {
    slot.worker = null
    slot.isListening = false
    if (this.#background === slot) this.#giveBackground(this.#slots.find(({ isListening }) => isListening) ?? null)
    if (this.#stopping !== null || !this.#isComplete) {
      this.#code = Math.max(this.#code, code ?? 1)
      this.#stopping ??= 'start'
      this.#endWhenNoneIsLeft()
      return
    }
    this.#restartLater(slot, code, signal)
  }

  /** The last one that listened has died while this one was starting, on a port that the system chose: it begins again. */
  #listensElsewhere(worker: Worker): void {
    this.#haveAllDied = true
    worker.process.kill('SIGKILL')
  }

  #restartLater(slot: Slot, code: number | null, signal: string | null): void {
    slot.failures = performance.now() - slot.startedAt < SETTLED_MS ? slot.failures + 1 : 1
    // Where none is left, one is to listen again soon, however often they have died.
    const isNoneLeft = this.#slots.every(({ worker }) => worker === null)
    if (isNoneLeft && this.#options.isSocketInherited) {
      this.#endWithoutSocket()
      return
    }
    if (isNoneLeft) this.#haveAllDied = true
    const longest = isNoneLeft ? LONGEST_ALONE_MS : LONGEST_DELAY_MS
    const delay = Math.min(longest, FIRST_DELAY_MS * 2 ** (slot.failures - 1))
    this.#restarts += 1
    this.#log.warn({ worker: slot.number, code, signal, delay }, 'A worker has ended; it is started again.')
    slot.restart = setTimeout(() => this.#fork(slot), delay)
  }

  /** The parent process, which passed the socket on, starts this process again; connections wait meanwhile. */
  #endWithoutSocket(): void {
    this.#log.error({}, 'All workers have ended, and with them the inherited socket.')
    this.#code = 1
    this.stop('socket')
  }

  #endOverdue(): void {
    for (const { number, worker } of this.#slots) {
      if (worker === null) continue
      this.#log.error({ worker: number }, 'A worker does not stop; it is killed.')
      worker.process.kill('SIGKILL')
    }
  }

  #endWhenNoneIsLeft(): void {
    if (this.#slots.every(({ worker }) => worker === null)) this.#ended(this.#code)
  }

  async #collect({ number, worker }: Slot): Promise<readonly Metric[]> {
    if (worker === null) return []
    this.#requests += 1
    const key = `${number} ${this.#requests}`
    const { promise, resolve } = Promise.withResolvers<readonly Metric[]>()
    this.#answers.set(key, resolve)
    const timer = setTimeout(resolve, COLLECT_MS, [])
    send(worker, { quire: 'collect', id: this.#requests })
    const metrics = await promise
    clearTimeout(timer)
    this.#answers.delete(key)
    return metrics.map((metric) => labelled(metric, String(number)))
  }
}

/** Labels a metric with its worker. Each counts for itself: one that is started again begins at zero. */
function labelled(metric: Metric, worker: string): Metric {
  const samples = metric.samples.map((sample) => ({ ...sample, labels: { ...sample.labels, worker } }))
  return { ...metric, samples }
}

/**
 * Closes a connection that was handed to a worker which died before accepting it. `node:cluster` keeps the connection open
 * until the worker confirms it: the client would wait for ever.
 */
function closeWithIt(worker: Worker): void {
  const child = worker.process
  let handed: { close(): void } | undefined
  child.send = new Proxy(child.send, {
    apply(send, self, args) {
      // One at a time is handed over; closing one that is closed does nothing.
      if (isHandle(args[1])) handed = args[1]
      return Reflect.apply(send, self, args)
    },
  })
  child.once('exit', () => handed?.close())
}

function isHandle(value: unknown): value is { close(): void } {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function'
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}
