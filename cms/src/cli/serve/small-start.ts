import { constants, PerformanceObserver, type PerformanceObserverEntryList } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

// V8 sizes its heap by itself: the young generation grows to 128 MB while many objects survive, the old one to four
// times what is alive before a garbage collection begins. Only options of Node's own command line limit that, and a
// service cannot give itself any. But V8 reads the growth factors anew whenever it is about to grow.

/**
 * Both semi-spaces of the young generation together. With half of it, saves take a fifth more processor time, and large
 * trees two fifths.
 */
const MAX_YOUNG_BYTES = 32 * 1024 * 1024
/**
 * How much the old generation may grow until it is collected: this much, or this part of what is alive. With half of
 * both, a busy service takes a tenth less memory, and large trees, mixed requests and publishing a tenth and more
 * processor time.
 */
const OLD_GROWTH_BYTES = 32 * 1024 * 1024
const LEAST_OLD_GROWTH = 0.4
/**
 * That part is rounded to steps, each so much larger than the one before. V8 takes compiled code from the cache only
 * where its flags are as they were: with a new value at each start, all that is loaded late would be compiled again.
 */
const GROWTH_STEP = 1.5
/** For so long V8 keeps empty pages for itself before they are returned to the system. */
const POOL_SECONDS = 1
/** V8 has that limit as of Node.js 26; where it is unknown, V8 would print an error at each start. */
const HAS_POOL_LIMIT = Number.parseInt(process.versions.node, 10) >= 26

/**
 * The compilers that V8 has beside its interpreter. What a start runs, it mostly runs once: without them it takes no longer,
 * and the service a tenth less memory. Each compiles the functions whose names match its filter; where V8 runs without it, as
 * under `--jitless`, the filter changes nothing.
 */
const COMPILERS = ['sparkplug', 'maglev', 'turbo']
/** A start that takes longer than this is busy with something, such as an index: it runs as the service does. */
const LONG_START_MS = 2000

/**
 * Begins a start that leaves little memory taken: code is interpreted, and the young generation keeps its first size (nearly
 * all objects survive while modules are loaded: with a larger one the start takes as long, and its pages stay).
 * What is returned ends it: from then on code is compiled, and the heap grows as it needs to, within limits.
 */
export function startSmall(): () => void {
  growYoungBy(1)
  compileWhatMatches('-*')
  let isSmall = true
  const end = () => {
    if (!isSmall) return
    isSmall = false
    compileWhatMatches('*')
    boundHeapGrowth()
  }
  setTimeout(end, LONG_START_MS).unref()
  return end
}

function compileWhatMatches(filter: string): void {
  for (const compiler of COMPILERS) setFlagsFromString(`--${compiler}-filter=${filter}`)
}

/** Lets the heap grow in small steps: for a tenth of the processor time, it takes a third less. */
function boundHeapGrowth(): void {
  if (HAS_POOL_LIMIT) setFlagsFromString(`--memory-pool-timeout=${POOL_SECONDS}`)
  boundYoung()
  boundOld()
  new PerformanceObserver((list) => {
    boundYoung()
    if (hasMajor(list)) boundOld()
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
  setFlagsFromString(`--heap-growing-percent=${Math.round(100 * oldGrowth(used))}`)
}

/** How much the old generation may grow while so many bytes are used, as a part of them. */
export function oldGrowth(used: number): number {
  const steps = Math.log(OLD_GROWTH_BYTES / used / LEAST_OLD_GROWTH) / Math.log(GROWTH_STEP)
  return LEAST_OLD_GROWTH * GROWTH_STEP ** Math.max(0, Math.round(steps))
}

/** What Node.js tells of a garbage collection. */
interface CollectionEntry {
  readonly detail?: { readonly kind?: number }
}

/** Whether one of the garbage collections collected the old generation, too. */
function hasMajor(list: PerformanceObserverEntryList): boolean {
  // `as`: the declarations of Node.js leave out what it tells of these entries.
  const collections = list.getEntries() as readonly CollectionEntry[]
  return collections.some(({ detail }) => detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR)
}

function bytesOf(isMeant: (space: string) => boolean, size: 'space_size' | 'space_used_size'): number {
  return getHeapSpaceStatistics().reduce((sum, space) => (isMeant(space.space_name) ? sum + space[size] : sum), 0)
}
