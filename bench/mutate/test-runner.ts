import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { availableParallelism, loadavg } from 'node:os'
import { dirname, relative, resolve } from 'node:path'
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check'
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core'
import type { Logger } from '@stryker-mutator/api/logging'
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import {
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
} from '@stryker-mutator/api/test-runner'
import { createVitest, type Vitest } from 'vitest/node'
import { KeptWorker } from './kept-worker.ts'
import { byFile, CODE_AS_IT_IS, type Outcome, outcomeOf, said, taskId } from './outcome.ts'
import type { Hits, Order } from './setup.ts'

/** The options that `run.ts` adds to those of Stryker. */
export interface MutateOptions {
  /** The test files, cheap and telling ones first: they run in this order. */
  readonly testFiles: readonly string[]
  /** The part of the mutants that is tested: 1 tests all. */
  readonly sample: number
  readonly seed: number
}

/** Tests of a file, by their ids; null stands for all. */
type Tests = readonly string[] | null

/** Milliseconds. The tests of a file take a few seconds: what takes longer waits for what does not come. */
const LIMIT = 30_000

/** The same where other programs want the processors, too. */
function limitNow(): number {
  const [load = 0] = loadavg()
  return LIMIT * Math.max(1, load / availableParallelism())
}

const TIMED_OUT = Symbol('timed out')

/**
 * Runs the tests of vitest for Stryker in a process that is kept: a mutant is switched on in code that is loaded, and
 * the tests that execute it run, file by file, until one fails. What is executed only when a module is loaded is
 * reported as static: Stryker leaves it out.
 */
export class KeptTestRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options, commonTokens.logger)
  readonly #options: MutateOptions
  readonly #log: Logger
  readonly #worker = new KeptWorker()
  readonly #wholeFiles = new Set<string>()
  #vitest: Vitest | undefined

  constructor(options: StrykerOptions, log: Logger) {
    this.#options = optionsOf(options)
    this.#log = log
  }

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init(): Promise<void> {
    setMaxListeners(0)
    const testTimeout = 2 * limitNow()
    this.#vitest = await createVitest('test', {
      config: false,
      root: process.cwd(),
      watch: false,
      isolate: false,
      maxWorkers: 1,
      bail: 1,
      testTimeout,
      hookTimeout: testTimeout,
      expect: { poll: { timeout: 20_000 } },
      reporters: [{}],
      onConsoleLog: () => false,
      experimental: { viteModuleRunner: false, nodeLoader: false },
      execArgv: ['--conditions=quire-source'],
      setupFiles: ['bench/mutate/setup.ts'],
      globalSetup: ['cms/test/environment.ts', 'cms/test/temporary-folder.ts'],
      pool: this.#worker,
    })
  }

  /**
   * Runs every test twice: code that only the first run executes, because it is loaded or computed once, does not
   * depend on a test.
   */
  async dryRun(): Promise<DryRunResult> {
    const perTest: Record<string, Hits> = {}
    const ofLoading: Hits = {}
    const tests: TestResult[] = []
    const passing: string[] = []
    for (const file of this.#options.testFiles) {
      const first = await this.#tried(file)
      if (first.failure === null) passing.push(file)
      else this.#log.warn(`${file} is left out: it fails without a mutant. ${said(first.failure)}`)
      for (const hits of [first.ofLoading, ...first.tests.map((test) => test.hits)]) Object.assign(ofLoading, hits)
    }
    for (const file of passing) {
      const second = await this.#tried(file)
      if (second.failure !== null) return { status: DryRunStatus.Error, errorMessage: said(second.failure) }
      for (const { hits, ...test } of second.tests) {
        tests.push(test)
        perTest[test.id] = hits
        for (const id of Object.keys(hits)) delete ofLoading[id]
      }
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage: { static: ofLoading, perTest } }
  }

  /** Without a mutant; what fails on a machine that has much to do may pass when it is run again. */
  async #tried(file: string, times = 3): Promise<Outcome> {
    const outcome = await this.#run(file, null, CODE_AS_IT_IS)
    return outcome.failure === null || times === 1 ? outcome : this.#tried(file, times - 1)
  }

  async mutantRun({ activeMutant, testFilter = [], hitLimit }: MutantRunOptions): Promise<MutantRunResult> {
    const order: Order = { mutant: activeMutant.id, hitLimit: hitLimit ?? null }
    let nrOfTests = 0
    for (const [file, ids] of byFile(testFilter, dirname(activeMutant.fileName))) {
      const outcome = await this.#judged(file, ids, order)
      if (outcome === TIMED_OUT) return { status: MutantRunStatus.Timeout }
      nrOfTests += outcome.tests.length
      if (outcome.failure === null) continue
      const { test, message } = outcome.failure
      return { status: MutantRunStatus.Killed, killedBy: [test], failureMessage: message, nrOfTests }
    }
    return { status: MutantRunStatus.Survived, nrOfTests }
  }

  async dispose(): Promise<void> {
    this.#worker.end()
    await this.#vitest?.close()
  }

  /**
   * A test that fails with a mutant has found it only if it passes without: otherwise it depends on what an earlier
   * mutant left behind, or on a test that was left out.
   */
  async #judged(file: string, ids: readonly string[], order: Order): Promise<Outcome | typeof TIMED_OUT> {
    const filter = this.#wholeFiles.has(file) ? null : ids
    const outcome = await this.#runInTime(file, filter, order)
    if (outcome === TIMED_OUT || outcome.failure === null || (await this.#passes(file, filter))) return outcome
    this.#worker.end()
    if (await this.#passes(file, filter)) this.#log.warn(`A mutant left something behind that ${file} fails with.`)
    else {
      if (filter === null) throw new Error(`${file} fails without a mutant.`)
      this.#log.warn(`${file} is run whole: some of its tests fail without the others.`)
      this.#wholeFiles.add(file)
    }
    return this.#judged(file, ids, order)
  }

  async #passes(file: string, ids: Tests): Promise<boolean> {
    return (await this.#run(file, ids, CODE_AS_IT_IS)).failure === null
  }

  /** How long is too long is measured without the mutant, where the machine has other work. */
  async #runInTime(file: string, ids: Tests, order: Order, limit = limitNow()): Promise<Outcome | typeof TIMED_OUT> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.#worker.end()
    }, limit)
    const outcome = await this.#run(file, ids, order)
    clearTimeout(timer)
    if (!isLate) return outcome
    const start = performance.now()
    await this.#run(file, ids, CODE_AS_IT_IS)
    const enough = 10 * (performance.now() - start)
    return enough > limit ? this.#runInTime(file, ids, order, enough) : TIMED_OUT
  }

  async #run(file: string, ids: Tests, order: Order): Promise<Outcome> {
    const vitest = this.#vitest
    if (vitest === undefined) throw new Error('The test runner is not initialized.')
    vitest.provide('order', order)
    const specification = vitest
      .getRootProject()
      .createSpecification(resolve(file), ids === null ? undefined : { testIds: ids.map(taskId) })
    vitest.state.filesMap.clear()
    vitest.state.errorsSet.clear()
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
    return outcomeOf(file, testModules, unhandledErrors)
  }
}

/** Leaves out what is not in the sample; another one with each seed, and the same for the same mutant. */
export class Sample implements Checker {
  static readonly inject = tokens(commonTokens.options)
  readonly #options: MutateOptions

  constructor(options: StrykerOptions) {
    this.#options = optionsOf(options)
  }

  async init(): Promise<void> {}

  async group(mutants: Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)]
  }

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, this.#checked(mutant)]))
  }

  #checked({ fileName, location, mutatorName, replacement }: Mutant): CheckResult {
    const { sample, seed } = this.#options
    const key = JSON.stringify([seed, relative(process.cwd(), fileName), location, mutatorName, replacement])
    const drawn = createHash('sha256').update(key).digest().readUInt32BE() / 2 ** 32
    if (drawn < sample) return { status: CheckStatus.Passed }
    return { status: CheckStatus.CompileError, reason: 'Not in the sample.' }
  }
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'kept', KeptTestRunner),
  declareClassPlugin(PluginKind.Checker, 'sample', Sample),
]

export const strykerValidationSchema = { properties: { kept: { type: 'object' } } }

function optionsOf(options: StrykerOptions): MutateOptions {
  // `as`: options of plugins have no type.
  return options.kept as MutateOptions
}
