import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

// Where the memory for new objects ends, V8 looks for those that are still used, and doubles that memory while there are
// many. Nothing but an option of the program's start bounds it, and the start is Node's: up to 128 MB. V8 asks for the
// factor whenever it wants more, so the factor is what bounds it here.

/** What new objects may take: 32 MB, as with `--max-semi-space-size=16`. */
const MAX_BYTES = 32 * 1024 * 1024

/**
 * Leaves the memory for new objects as small as it is. While modules are loaded, nearly all objects are used for good:
 * with more of it the start takes as long, and 14 MB stay behind.
 */
export function keepYoungGenerationSmall(): void {
  growBy(1)
}

/** From now on the memory for new objects grows as it needs to, up to 32 MB. */
export function boundYoungGeneration(): void {
  const bound = () => growBy(youngBytes() < MAX_BYTES ? 2 : 1)
  bound()
  new PerformanceObserver(bound).observe({ entryTypes: ['gc'] })
}

function growBy(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0
}
