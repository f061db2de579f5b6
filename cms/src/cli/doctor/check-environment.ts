import { UnusableDatabase } from '../../store/contract/store.ts'
import { databaseFile } from '../../store/database/database-file.ts'
import {
  address,
  appOptions,
  type Environment,
  logsRequests,
  metricsPortOf,
  runsMigrations,
  unknownVariables,
  workerCount,
} from '../command/environment.ts'
import { UsageError } from '../command/failure.ts'
import { logLevel } from '../command/json-log.ts'
import { type Finding, Findings } from './finding.ts'

/** Further settings that a start reads, with the functions that refuse wrong values. */
const READERS: readonly ((env: Environment) => unknown)[] = [
  (env) => address({}, env),
  (env) => workerCount(undefined, env),
  (env) => logsRequests(env, false),
  metricsPortOf,
  logLevel,
  runsMigrations,
]

/** The variables of the environment: names that nobody reads, and values that stop a start. */
export async function checkEnvironment(env: Environment): Promise<readonly Finding[]> {
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
