import packageJson from '../../../package.json' with { type: 'json' }
import type { Log } from '../../base/log.ts'
import { type Metric, Metrics } from '../../base/metrics.ts'
import { withoutPassword } from '../../base/text.ts'
import type { App, AppOptions } from '../../service.ts'
import type { ThisWorker } from './worker.ts'

const OUTDATED = 'outdated'

/** The log entry of a service that has started. */
interface Listening {
  readonly site: string
  readonly address: string
  readonly database: string
  readonly uploads: string
  readonly key: { readonly path: string } | null
}

/**
 * The process that serves, as those who run it see it: lines of its log at start and stop, signals, metrics; alone, or
 * as one of several workers.
 */
export class RunningProcess {
  readonly metrics: Metrics
  readonly #worker: ThisWorker | null
  readonly #log: Log
  #app: App | null = null
  #stop: (reason: string) => void = () => {}
  #isOutdated = false

  constructor(worker: ThisWorker | null, log: Log) {
    this.#worker = worker
    this.#log = log
    this.metrics = worker === null ? new Metrics() : new Metrics(() => worker.gather())
    worker?.onCollect(() => this.metrics.collect())
  }

  /** Options of the service: a worker shares memory with others, and one of them works in the background. */
  get options(): Pick<AppOptions, 'metrics' | 'processes' | 'isInBackground' | 'whenOutdated'> {
    const worker = this.#worker
    const all = { metrics: this.metrics, whenOutdated: () => this.#endOutdated() }
    return worker === null ? all : { ...all, processes: worker.count, isInBackground: () => worker.isInBackground }
  }

  /**
   * Makes the process stop gracefully at the first signal, or when a worker is asked to, for at most as long as the
   * options say; at once at the second signal.
   */
  opened(app: App): void {
    this.#app = app
    let isStopping = false
    const stop = (reason: string) => {
      if (isStopping) return
      isStopping = true
      void this.#close(app, reason)
    }
    this.#stop = stop
    this.#worker?.onStop(stop)
    if (this.#isOutdated) stop(OUTDATED)
    let signals = 0
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        signals += 1
        if (signals > 1) process.exit(1)
        stop(signal)
      })
    }
  }

  /** Releases everything after a failed start, so that the process can end. */
  async failed(): Promise<void> {
    this.#worker?.failed()
    await this.#app?.close()
  }

  /** Reports the address that the service listens at. */
  listens({ site, address, database, uploads, key }: Listening): void {
    const { version } = packageJson
    const kind = /^postgres(ql)?:/.test(database) ? 'postgres' : 'sqlite'
    this.metrics.add(() => [buildInfo({ version, node: process.version, database: kind })])
    this.#worker?.listening()
    const facts = { version, node: process.version, site, address, database: withoutPassword(database), uploads }
    const worker = this.#worker === null ? {} : { worker: this.#worker.number }
    const adminKey = key === null ? {} : { adminKey: key.path }
    this.#log.info({ ...facts, ...worker, ...adminKey, ms: Math.round(performance.now()) }, 'The service has started.')
  }

  /** Ends the process, so that the newer program serves. */
  #endOutdated(): void {
    this.#isOutdated = true
    this.#worker?.outdated()
    this.#stop(OUTDATED)
  }

  async #close(app: App, reason: string): Promise<void> {
    const began = performance.now()
    this.#log.info({ reason }, 'The service stops.')
    try {
      await app.close()
      this.#log.info({ reason, ms: Math.round(performance.now() - began) }, 'The service has stopped.')
      process.exit(this.#isOutdated ? 1 : 0)
    } catch (error) {
      this.#log.error({ reason, error }, 'The service did not stop properly.')
      process.exit(1)
    }
  }
}

/** The metric of the running version: its labels say it, and its value is 1. */
function buildInfo(labels: Readonly<Record<string, string>>): Metric {
  const help = 'The version of Quire, of Node.js, and the kind of database.'
  return { name: 'quire_build_info', help, type: 'gauge', samples: [{ labels, value: 1 }] }
}
