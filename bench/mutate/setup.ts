import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'

/** Executions of mutants, by their ids. */
export type Hits = Record<string, number>

/** The purpose of a run of a test file. */
export interface Order {
  /** Null: the code is run as it is. */
  readonly mutant: string | null
  /** How often the mutant may be executed: more often is an endless loop. */
  readonly hitLimit: number | null
}

/** The state that the code changed by Stryker reads and writes: `globalThis.__stryker__`. */
interface Instruments {
  activeMutant?: string | null | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> }
}

declare module 'vitest' {
  interface ProvidedContext {
    order: Order
  }
  interface TaskMeta {
    /** By the ids of tests; `*` stands for each, and the empty one for none: when the files were loaded. */
    hits?: Record<string, Hits>
  }
}

/** Stands for the tests of a file: what is executed before and after them all counts for each. */
const EACH = '*'

const { mutant, hitLimit } = inject('order')
const holder = globalThis as typeof globalThis & { __stryker__?: Instruments }
holder.__stryker__ ??= {}
const instruments = holder.__stryker__
instruments.mutantCoverage ??= { static: {}, perTest: {} }
const coverage = instruments.mutantCoverage

beforeAll(() => {
  coverage.perTest = {}
  instruments.currentTestId = EACH
  instruments.hitCount = hitLimit === null ? undefined : 0
  instruments.hitLimit = hitLimit ?? undefined
  // Not before: what is executed when a module is loaded stays as it is.
  instruments.activeMutant = mutant
})

beforeEach(({ task }) => {
  instruments.currentTestId = task.id
})

afterEach(() => {
  instruments.currentTestId = EACH
})

// Hooks of this file come last: the other way around than `beforeAll`.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads what the pattern names.
afterAll(({}, file) => {
  instruments.activeMutant = null
  instruments.currentTestId = undefined
  if (mutant === null) file.meta.hits = { ...coverage.perTest, '': coverage.static }
})
