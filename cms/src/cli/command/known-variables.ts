import { distanceOf } from '../../base/did-you-mean.ts'
import type { Environment } from './environment.ts'

const variables = (names: string) => names.split(' ').map((name) => `QUIRE_${name}`)
/** The variables that only commands which serve act upon. */
export const OF_SERVICE: readonly string[] = [
  ...variables('ACCESS_LOG ADMIN_PASSWORD ADMIN_USERNAME API_KEYS CACHE_MB DATABASE_REPLICAS DRAIN_SECONDS'),
  ...variables('EMBED_NETWORKS EXTERNAL_FRONT_KEY LOG_LEVEL METRICS_PORT MIGRATE PURGE_TOKEN REPLICA_MAX_AGE'),
  ...variables('SLOW_STATEMENT_MS STATIC_BASE_URL STOP_SECONDS WORKERS'),
]
/** All variables that the commands read. */
export const KNOWN: readonly string[] = [
  ...OF_SERVICE,
  ...variables(
    'API_KEY DATABASE DATABASE_LISTEN POOL_SIZE SITE STARTED_BY_QUIRE SYNCHRONOUS UPLOADS UPLOADS_ENDPOINT UPLOADS_URL USER_PASSWORD',
  ),
]
/** How many letters of a misspelled name may be wrong. */
const MOST_WRONG = 3

/** The variables that begin with `QUIRE_` and that no command reads, with the known one that each is most like. */
export function unknownVariables(env: Environment): { readonly name: string; readonly meant: string | null }[] {
  const unknown = Object.keys(env).filter((name) => name.startsWith('QUIRE_') && !KNOWN.includes(name))
  return unknown.map((name) => {
    const [best] = KNOWN.map((known) => ({ known, wrong: distanceOf(name, known) })).toSorted(
      (a, b) => a.wrong - b.wrong,
    )
    return { name, meant: best !== undefined && best.wrong <= MOST_WRONG ? best.known : null }
  })
}

/**
 * The unknown variables that are nearly known ones, and what to say of them: since nobody reads them, another database
 * may be used than was meant. Others may be the site's own.
 */
export function misspelledVariables(env: Environment): MisspelledVariable[] {
  return unknownVariables(env).flatMap(({ name, meant }) =>
    meant === null ? [] : [{ name, meant, message: `${name} is not a variable of Quire. Did you mean ${meant}?` }],
  )
}

type MisspelledVariable = Readonly<Record<'name' | 'meant' | 'message', string>>
