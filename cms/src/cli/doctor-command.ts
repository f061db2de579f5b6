import { dirname } from 'node:path'
import { styleText } from 'node:util'
import { type AppOptions, uploadsOf } from '../service.ts'
import { UnusableDatabase } from '../store/contract/store.ts'
import { databaseFile } from '../store/database/database-file.ts'
import { command } from './command/command.ts'
import {
  address,
  appOptions,
  type Environment,
  logsRequests,
  metricsPortOf,
  replicaOptions,
  runsMigrations,
  workerCount,
} from './command/environment.ts'
import { UsageError } from './command/failure.ts'
import { logLevel } from './command/json-log.ts'
import { unknownVariables } from './command/known-variables.ts'
import { checkDatabase } from './doctor/check-database.ts'
import { type Finding, Findings } from './doctor/finding.ts'
import { checkMachine } from './doctor/machine.ts'
import { checkStorage } from './doctor/storage.ts'

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

/** `quire doctor`: looks at all that a service needs, and says what to do. Fails where something is wrong. */
export const doctor = command({
  meta: { name: 'doctor', description: 'Check database, storage, machine and environment, and say what to do' },
  args: {
    json: { type: 'boolean', description: 'As JSON, for programs' },
    all: { type: 'boolean', description: 'Compare the index with all documents, not only with some' },
  },
  async run({ args }) {
    const findings = await examine(process.env, args.all === true)
    if (args.json === true) console.log(JSON.stringify({ isHealthy: !hasFailed(findings), findings }, null, 2))
    else for (const finding of findings) console.log(lineOf(finding))
    if (hasFailed(findings)) process.exitCode = 1
  },
})

function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'fail')
}

async function examine(env: Environment, isWhole: boolean): Promise<readonly Finding[]> {
  const first = await checkEnvironment(env)
  // Without options that can be read there is nothing else to look at.
  if (hasFailed(first)) return first
  const options = { ...appOptions(env), ...replicaOptions(env) }
  const workers = workerCount(undefined, env)
  const machine = await checkMachine(await foldersOf(options), workers)
  return [...first, ...machine, ...(await checkDatabase(options, workers, isWhole)), ...(await checkStorage(options))]
}

/** Returns the folders that the service writes to. */
async function foldersOf(options: AppOptions): Promise<readonly string[]> {
  const [file, uploads] = [databaseFile(options.database), uploadsOf(options)]
  return [process.cwd(), ...(file === null ? [] : [dirname(file)]), ...(uploads.startsWith('s3:') ? [] : [uploads])]
}

function lineOf({ level, about, message, advice }: Finding): string {
  const mark = styleText(COLOURS[level], level.padEnd(4), { stream: process.stdout })
  return `${mark}  ${about.padEnd(11)}  ${message}${advice === null ? '' : `\n${' '.repeat(19)}${advice}`}`
}

/** Further settings that a start reads, with the functions that refuse wrong values. */
const READERS: readonly ((env: Environment) => unknown)[] = [
  (env) => metricsPortOf(env, address({}, env).port),
  (env) => workerCount(undefined, env),
  (env) => logsRequests(env, false),
  logLevel,
  runsMigrations,
]

/** The variables of the environment: names that nobody reads, and values that stop a start. */
async function checkEnvironment(env: Environment): Promise<readonly Finding[]> {
  const found = new Findings('environment')
  for (const { name, meant } of unknownVariables(env)) {
    found.warn(`${name} is not a variable of Quire.`, meant === null ? 'Remove it.' : `Did you mean ${meant}?`)
  }
  const optionsOf = (all: Environment) => databaseFile(appOptions(all).database)
  for (const read of [optionsOf, ...READERS]) {
    try {
      read(env)
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof UnusableDatabase)) throw error
      found.fail(error.message, 'Correct it: the service does not start.')
    }
  }
  if (found.all.length === 0) found.ok('All variables are known, and their values in order.')
  return found.all
}
