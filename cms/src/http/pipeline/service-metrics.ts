import { readdir } from 'node:fs/promises'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { type Metric, single } from '../../base/metrics.ts'
import type { HookRunner } from '../../engine/context.ts'

/** How often the delay of the event loop is measured, in milliseconds. */
const RESOLUTION_MS = 20

let delays: ReturnType<typeof monitorEventLoopDelay> | null = null
let utilization = performance.eventLoopUtilization()

/**
 * Figures of this process, under the names that dashboards for Node.js expect. The event loop is watched from the first
 * scrape on; each reports the time since the previous one.
 */
export async function processMetrics(): Promise<readonly Metric[]> {
  const { user, system } = process.cpuUsage()
  const { rss, external, arrayBuffers } = process.memoryUsage()
  const { used_heap_size: heapUsed, heap_size_limit: heapLimit } = getHeapStatistics()
  const start = performance.timeOrigin / 1000
  return [
    single('counter', 'process_cpu_seconds_total', 'Processor time, in seconds.', (user + system) / 1e6),
    single('gauge', 'process_start_time_seconds', 'When the process started, in seconds since 1970.', start),
    single('gauge', 'process_resident_memory_bytes', 'Memory of the process.', rss),
    single('gauge', 'nodejs_heap_size_used_bytes', 'Memory of JavaScript objects.', heapUsed),
    single('gauge', 'nodejs_heap_size_limit_bytes', 'Memory available to JavaScript objects.', heapLimit),
    single('gauge', 'nodejs_external_memory_bytes', 'Memory outside of the heap.', external),
    single('gauge', 'nodejs_array_buffers_bytes', 'Memory of buffers.', arrayBuffers),
    ...(await openFiles()),
    ...eventLoop(),
  ]
}

/** Counts open files, where the system provides it. */
async function openFiles(): Promise<Metric[]> {
  const files = await readdir('/proc/self/fd').catch(() => null)
  return files === null ? [] : [single('gauge', 'process_open_fds', 'Open files and sockets.', files.length)]
}

function eventLoop(): Metric[] {
  if (delays === null) {
    delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    delays.enable()
  }
  const seconds = (name: string, nanoseconds: number, help: string): Metric => {
    return single('gauge', name, help, lagOf(nanoseconds))
  }
  const busy = performance.eventLoopUtilization(utilization).utilization
  utilization = performance.eventLoopUtilization()
  const metrics = [
    seconds('nodejs_eventloop_lag_mean_seconds', delays.mean, 'Delay of the event loop, on average.'),
    seconds('nodejs_eventloop_lag_p99_seconds', delays.percentile(99), 'Delay of the event loop, 99th percentile.'),
    seconds('nodejs_eventloop_lag_max_seconds', delays.max, 'The longest delay of the event loop.'),
    single('gauge', 'nodejs_eventloop_utilization', 'Share of the time in which the event loop was busy.', busy),
  ]
  delays.reset()
  return metrics
}

/** Converts a measured interval to seconds of delay; 0 before the first measurement, which is NaN. */
function lagOf(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000) : 0
}

/** How much a cache holds. */
interface Cached {
  readonly size: { readonly bytes: number; readonly entries: number }
}

/** Hooks that failed, and how full the caches are (§0.12). */
export async function appMetrics(hooks: HookRunner, caches: Readonly<Record<string, Cached>>): Promise<Metric[]> {
  const failures = 'Hooks that failed after a commit, or while a version was recorded.'
  const of = (part: keyof Cached['size']): Metric['samples'] =>
    Object.entries(caches).map(([cache, { size }]) => ({ labels: { cache }, value: size[part] }))
  return [
    single('counter', 'quire_hook_failures_total', failures, hooks.failures()),
    { name: 'quire_cache_bytes', help: 'Approximate bytes in a cache.', type: 'gauge', samples: of('bytes') },
    { name: 'quire_cache_entries', help: 'Entries in a cache.', type: 'gauge', samples: of('entries') },
  ]
}
