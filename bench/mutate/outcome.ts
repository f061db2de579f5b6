import { dirname, relative, resolve } from 'node:path'
import { type TestResult, TestStatus } from '@stryker-mutator/api/test-runner'
import type { TestModule } from 'vitest/node'
import type { Hits, Order } from './setup.ts'

/** How a test file came out. */
export interface Outcome {
  readonly tests: readonly (TestResult & { readonly hits: Hits })[]
  /** The mutants that were executed outside of the tests and of their hooks. */
  readonly ofLoading: Hits
  /** The first failure; null when there was none. */
  readonly failure: Failure | null
}

interface Failure {
  readonly test: string
  readonly message: string
}

/** Runs the code without a mutant. */
export const CODE_AS_IT_IS: Order = { mutant: null, hitLimit: null }

/** The outcome of a file, of what the runner reports of it. */
export function outcomeOf(file: string, modules: readonly TestModule[], unhandled: readonly unknown[]): Outcome {
  const cases = modules.flatMap((module) => {
    const { hits = {} } = module.meta()
    return [...module.children.allTests()].map((test) => ({ test, hits: merged(hits['*'], hits[test.id]) }))
  })
  const tests = cases
    .filter(({ test }) => ['passed', 'failed'].includes(test.result().state))
    .map(({ test, hits }) => ({
      id: testId(file, test.id),
      name: `${file} > ${test.fullName}`,
      fileName: resolve(file),
      timeSpentMs: test.diagnostic()?.duration ?? 0,
      // A failure is in `failure`, and ends the run.
      status: TestStatus.Success as const,
      hits,
    }))
  const failed = cases.find(({ test }) => test.result().state === 'failed')?.test
  const ofLoading = Object.assign({}, ...modules.map((module) => module.meta().hits?.['']))
  const errors = [
    ...(failed?.result().errors ?? []),
    ...modules.flatMap((module) => [
      ...module.errors(),
      ...[...module.children.allSuites()].flatMap((s) => s.errors()),
    ]),
    ...unhandled,
  ]
  const isOk = errors.length === 0 && modules.length > 0 && modules.every((module) => module.ok())
  if (isOk) return { tests, ofLoading, failure: null }
  const test = failed === undefined ? (tests[0]?.id ?? testId(file, '')) : testId(file, failed.id)
  const message = String((errors[0] as Error | undefined)?.message ?? 'No tests ran.')
  return { tests, ofLoading, failure: { test, message } }
}

function merged(one: Hits = {}, other: Hits = {}): Hits {
  const sum = { ...one }
  for (const [id, count] of Object.entries(other)) sum[id] = (sum[id] ?? 0) + count
  return sum
}

function testId(file: string, task: string): string {
  return `${file}#${task}`
}

/** The id of a test in its file. */
export function taskId(id: string): string {
  return id.slice(id.indexOf('#') + 1)
}

/** The tests of each file, in the order of the files, but those in the folder of the mutant first. */
export function byFile(ids: readonly string[], folder: string): readonly (readonly [string, readonly string[]])[] {
  const files = Map.groupBy(ids, (id) => id.slice(0, id.indexOf('#')))
  const isNear = (file: string) => dirname(file) === relative(process.cwd(), folder)
  return [...files].toSorted(([one], [other]) => Number(isNear(other)) - Number(isNear(one)))
}

/** A failure as one line. */
export function said({ test, message }: Failure): string {
  return `${test}: ${message}`
}
