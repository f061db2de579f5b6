import { createApp } from '../cms/src/app.ts'
import { createKey } from '../cms/src/engine/access/keys.ts'
import { cookieOf, makeUser } from '../cms/test/people.ts'
import { type Measuring, measureServer, type Server } from './measure.ts'
import { rows } from './rows.ts'
import type { Samples } from './samples.ts'
import { site } from './site.ts'

/** The name of this row for `--only`. */
export const ACCESS = 'access'
/** The most that a known caller may cost more than an anonymous one. */
export const ACCESS_TARGET = 1.15

const REQUESTS = ['one by id', 'one by slug'] as const
const ROUNDS = 9
const REQUESTS_A_ROUND = 500
const ROLES = ['guest', 'editor'] as const

/** The cost of authentication: processor time per request in microseconds, medians of all rounds. */
export interface AccessCost {
  readonly request: string
  readonly caller: string
  readonly anonymous: number
  readonly known: number
  /** The median of the ratios of all rounds: known by anonymous. */
  readonly ratio: number
}

/**
 * Asks the same anonymously, with keys and X * does falls on all of them. The service caches no answers.
 */
export async function measureAccess(
  measuring: Measuring,
  service: Server,
  database: string,
  samples: Samples,
): Promise<AccessCost[]> {
  const callers = { anonymous: {}, ...(await knownCallers(service, database)) }
  const costs: AccessCost[] = []
  for (const request of REQUESTS) {
    const requests = rows.find(({ name }) => name === request)?.requests(samples, REQUESTS_A_ROUND, 0) ?? []
    const times = await interleave(Object.entries<Readonly<Record<string, string>>>(callers), async (headers) => {
      const job = { headers, requests: requests.slice(0, REQUESTS_A_ROUND), seconds: null }
      const { cpu, failures } = await measureServer(measuring, service, job)
      if (failures > 0) throw new Error(`${failures} requests failed.`)
      return cpu
    })
    const anonymousTimes = times.get('anonymous') ?? []
    for (const [caller, known] of times) {
      if (caller === 'anonymous') continue
      const ratio = median(known.map((time, round) => time / (anonymousTimes[round] ?? Number.NaN)))
      costs.push({ request, caller, anonymous: median(anonymousTimes), known: median(known), ratio })
    }
  }
  return costs
}

/** Each caller's times, round by round. Every round has another order; a first one, which warms up, does not count. */
async function interleave(
  callers: readonly (readonly [string, Readonly<Record<string, string>>])[],
  measure: (headers: Readonly<Record<string, string>>) => Promise<number>,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(callers.map(([name]) => [name, []]))
  for (let round = -1; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < callers.length; turn += 1) {
      const [name = '', headers = {}] = callers[(turn + round + 1) % callers.length] ?? []
      const time = await measure(headers)
      if (round >= 0) times.get(name)?.push(time)
    }
  }
  return times
}

/** Keys and sessions of people of two roles, as headers. */
async function knownCallers(service: Server, database: string): Promise<Record<string, Record<string, string>>> {
  const app = await createApp(site, { database })
  try {
    const callers: Record<string, Record<string, string>> = {}
    for (const role of ROLES) {
      const username = `bench-${role}`
      await makeUser(app, username, { role })
      const { key } = await createKey(app.context({ kind: 'operator' }), { name: username, role })
      callers[`key, ${role}`] = { authorization: `Bearer ${key}` }
      callers[`session, ${role}`] = { cookie: await cookieOf(service.address, username) }
    }
    return callers
  } finally {
    await app.close()
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
