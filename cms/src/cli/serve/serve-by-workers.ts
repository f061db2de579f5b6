import type { Log } from '../../base/log.ts'
import { TIMEOUTS } from '../../http/load/sockets.ts'
import { timeoutsOf } from '../command/environment.ts'
import { serveMetrics } from './serve-metrics.ts'
import { Workers } from './workers.ts'

/** Where everybody may read the metrics of all workers; without a port, nowhere. */
interface MetricsAddress {
  readonly host: string
  readonly metricsPort: number | null
}

/** Serves with this many workers until all have ended; then this process ends, too, with their exit code. */
export async function serveByWorkers(count: number, { host, metricsPort }: MetricsAddress, log: Log): Promise<void> {
  const { drain, close } = { ...TIMEOUTS, ...timeoutsOf(process.env).timeouts }
  const workers = new Workers(count, drain + close, log)
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
