import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { HERE } from '../command.ts'
import { FOLDERS } from './folders.ts'
import type { MutateOptions } from './test-runner.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
const [name = ''] = positionals
const folder = FOLDERS[name]
if (folder === undefined) throw new Error(`Name one of these: ${Object.keys(FOLDERS).join(', ')}.`)

process.chdir(HERE)
process.env.QUIRE_TEST_ONLY = 'SQLite'
process.env.QUIRE_TEST_SEED ??= values.seed
const isTest = (path: string) => /(^|\/)test-[^/]*$|\.test\.ts$/.test(path)
const isShortTest = (path: string) => path.endsWith('.test.ts') && !path.endsWith('-growth.test.ts')
const filesOf = (globs: readonly string[]) =>
  [...new Set(globs.flatMap((glob) => globSync(glob, { cwd: 'cms' })))]
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join('cms', path))
const kept: MutateOptions = {
  testFiles: filesOf(folder.tests).filter(isShortTest),
  sample: Number(values.sample),
  seed: Number(values.seed),
}
const mutated = filesOf(folder.mutated).filter((path) => !isTest(path))
const report = join('node_modules/.cache/mutants', name.replaceAll('/', '-'))
await new Stryker({
  mutate: mutated.filter((path) => path.includes(values.only)),
  ignorePatterns: [
    '/*',
    '!/cms',
    '!/diff',
    '!/bench',
    '!/conformance',
    '!/example',
    '!/docs',
    '!/package.json',
    '!/tsconfig.json',
  ],
  plugins: [join(HERE, 'bench/mutate/test-runner.ts')],
  testRunner: 'kept',
  checkers: ['sample'],
  coverageAnalysis: 'perTest',
  // The sandbox runs as it is: nothing there is compiled or checked.
  tsconfigFile: 'none.json',
  disableTypeChecks: false,
  // Code that runs when a file is loaded takes a process of its own for each mutant, and all tests.
  ignoreStatic: true,
  // Tests compare the names of errors, and not how they are worded.
  mutator: { excludedMutations: ['StringLiteral'] },
  concurrency: 1,
  // A test file that is run again and again leaves some memory behind each time.
  maxTestRunnerReuse: 300,
  // The test runner knows by itself what takes too long.
  timeoutMS: 3_600_000,
  dryRunTimeoutMinutes: 30,
  tempDirName: '.mutants',
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, allowEmojis: false },
  htmlReporter: { fileName: `${report}.html` },
  jsonReporter: { fileName: `${report}.json` },
  kept,
} as ConstructorParameters<typeof Stryker>[0] & { kept: MutateOptions }).runMutationTest()
