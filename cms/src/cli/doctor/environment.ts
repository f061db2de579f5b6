import { UnusableDatabase } from '../../store/store.ts'
import { address, appOptions, metricsPortOf, workerCount } from '../environment.ts'
import type { Environment } from '../environment-variables.ts'
import { UsageError } from '../failure.ts'
import { logLevel } from '../log.ts'
import { type Finding, Findings } from './finding.ts'

/** All variables that the commands read. */
const KNOWN = [
  'QUIRE_ACCESS_LOG',
  'QUIRE_ADMIN_PASSWORD',
  'QUIRE_ADMIN_USERNAME',
  'QUIRE_API_KEYS',
  'QUIRE_CACHE_MB',
  'QUIRE_DATABASE',
  'QUIRE_DRAIN_SECONDS',
  'QUIRE_EMBED_NETWORKS',
  'QUIRE_EXTERNAL_FRONT_KEY',
  'QUIRE_LOG_LEVEL',
  'QUIRE_METRICS_PORT',
  'QUIRE_MIGRATE',
  'QUIRE_POOL_SIZE',
  'QUIRE_SITE',
  'QUIRE_STARTED_BY_QUIRE',
  'QUIRE_STATIC_BASE_URL',
  'QUIRE_STOP_SECONDS',
  'QUIRE_SYNCHRONOUS',
  'QUIRE_UPLOADS',
  'QUIRE_UPLOADS_ENDPOINT',
  'QUIRE_UPLOADS_URL',
  'QUIRE_USER_PASSWORD',
  'QUIRE_WORKERS',
]
/** How many letters of a misspelled name may be wrong. */
const MOST_WRONG = 3

/** The variables of the environment: names that nobody reads, and values that stop a start. */
export async function checkEnvironment(env: Environment): Promise<readonly Finding[]> {
  const { databaseFile } = await import('../../store/open.ts')
  const found = new Findings('environment')
  for (const name of Object.keys(env).filter((each) => each.startsWith('QUIRE_') && !KNOWN.includes(each))) {
    const meant = nearest(name)
    found.warn(`${name} is not a variable of Quire.`, meant === null ? 'Remove it.' : `Did you mean ${meant}?`)
  }
  const optionsOf = (all: Environment) => databaseFile(appOptions(all).database)
  for (const read of [optionsOf, metricsPortOf, logLevel, (all: Environment) => address({}, all), countOf]) {
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

const countOf = (env: Environment) => workerCount(undefined, env)

/** The known name that is most like another one; null where none is. */
function nearest(name: string): string | null {
  const [best] = KNOWN.map((known) => ({ known, wrong: distance(name, known) })).toSorted((a, b) => a.wrong - b.wrong)
  return best !== undefined && best.wrong <= MOST_WRONG ? best.known : null
}

/** How many letters must be put in, left out or replaced. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [index, target] of [...other].entries()) {
      const replaced = (row[index] ?? 0) + (letter === target ? 0 : 1)
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
