import cluster from 'node:cluster'
import type { Log } from '../../base/log.ts'
import { TIMEOUTS } from '../../http/load/sockets.ts'
import { timeoutsOf } from '../command/environment.ts'
import { serveMetrics } from './serve-metrics.ts'
import { Workers } from './workers.ts'

/** Where the workers are reached. */
interface WorkersAddress {
  readonly host: string
  /** The descriptor of the socket that this process has inherited; null: it listens itself. */
  readonly socket: number | null
  /** Where everybody may read the metrics of all workers; null: nowhere. */
  readonly metricsPort: number | null
}

/** Serves with this many workers until all have ended; then this process ends, too, with their exit code. */
export async function serveByWorkers(count: number, address: WorkersAddress, log: Log): Promise<void> {
  const { host, socket, metricsPort } = address
  const { drain, close } = { ...TIMEOUTS, ...timeoutsOf(process.env).timeouts }
  const workers = new Workers(count, { stopMs: drain + close, isSocketInherited: socket !== null }, log)
  // A connection that this process had accepted when it stops would be lost: workers accept them from the shared socket.
  if (socket !== null) cluster.schedulingPolicy = cluster.SCHED_NONE
  if (metricsPort !== null) await serveMetrics(metricsPort, host, () => workers.metrics())
  let signals = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      signals += 1
      if (signals > 1) {
        workers.kill()
        process.exit(1)
      }
      workers.stop(signal)
    })
  }
  workers.start()
  process.exit(await workers.ended)
}
