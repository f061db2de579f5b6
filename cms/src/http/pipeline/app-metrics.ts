import { type Metric, single } from '../../base/metrics.ts'
import type { HookRunner } from '../../engine/context.ts'

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
    { name: 'quire_cache_bytes', help: 'Bytes that a cache holds, about.', type: 'gauge', samples: of('bytes') },
    { name: 'quire_cache_entries', help: 'Entries that a cache holds.', type: 'gauge', samples: of('entries') },
  ]
}
