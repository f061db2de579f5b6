import { constants, PerformanceObserver, type PerformanceObserverEntryList } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

// V8 looks for objects that are not used any more when the memory for objects ends, and gives it more while many are
// used: up to 128 MB for new ones, and up to four times what the old ones take. Nothing but options of the program's
// start bounds that, and the start is Node's. But V8 asks for the factors whenever it wants more.

/** What new objects may take. */
const MAX_YOUNG_BYTES = 32 * 1024 * 1024
/** By how much old objects may grow before it is looked which of them are used: so much, or this part of those used. */
const OLD_GROWTH_BYTES = 32 * 1024 * 1024
const LEAST_OLD_GROWTH = 0.4

/**
 * Leaves the memory for new objects as small as it is. While modules are loaded, nearly all objects are used for good:
 * with more of it the start takes as long, and 14 MB stay behind.
 */
export function keepHeapSmall(): void {
  growYoungBy(1)
}

/** From now on the memory for objects grows as it needs to, within bounds: for a tenth of the work, it takes a third less. */
export function boundHeapGrowth(): void {
  boundYoung()
  boundOld()
  new PerformanceObserver((list) => {
    boundYoung()
    if (isMajor(list)) boundOld()
  }).observe({ entryTypes: ['gc'] })
}

function boundYoung(): void {
  growYoungBy(2 * bytesOf((space) => space === 'new_space', 'space_size') <= MAX_YOUNG_BYTES ? 2 : 1)
}

function growYoungBy(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)
}

function boundOld(): void {
  const used = bytesOf((space) => !space.startsWith('new_'), 'space_used_size')
  setFlagsFromString(`--heap-growing-percent=${Math.round(100 * Math.max(OLD_GROWTH_BYTES / used, LEAST_OLD_GROWTH))}`)
}

/** Of a collection of garbage. */
interface CollectionEntry {
  readonly detail?: { readonly kind?: number }
}

/** Whether one of the collections that are told of looked at all objects. */
function isMajor(list: PerformanceObserverEntryList): boolean {
  // `as`: the declarations of Node.js leave out what it tells of these entries.
  const collections = list.getEntries() as readonly CollectionEntry[]
  return collections.some(({ detail }) => detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR)
}

function bytesOf(isMeant: (space: string) => boolean, size: 'space_size' | 'space_used_size'): number {
  return getHeapSpaceStatistics().reduce((sum, space) => (isMeant(space.space_name) ? sum + space[size] : sum), 0)
}
