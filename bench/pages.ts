import { parseArgs } from 'node:util'
import { type JobRequest, startChild } from './children.ts'
import type { MovedPages } from './load-pages.ts'
import { type Measuring, measure, type Server, usage, WARM_UP } from './measure.ts'
import { spread } from './samples.ts'
import { startService } from './start.ts'
import { type EmptyDatabase, runTable, TABLE_FLAGS, withMeasuring } from './tables.ts'

// `node bench/pages.ts`: the tree of pages, of 200 and of 10,000 pages of 1 KB, ten children each. Writes
// `bench/results-pages.md`, or prints the table when only some of it is asked for.

const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '200,10000' },
    ...TABLE_FLAGS,
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '16' },
  },
})

const KEY = 'bench-key'
const PAGE = '/api/v1/@cms/page'
const URLS = 2000
const INSERTS = 500
const MOVES = 20

/** What is asked of a tree; writes are each sent once. */
interface Row {
  readonly name: string
  readonly kind: 'read' | 'write'
  /** Its answer is as long as the tree is large: asked for some times by two connections. */
  readonly isLong?: boolean
  requests(ids: readonly string[]): JobRequest[]
}

const get = (path: string): JobRequest => ({ method: 'GET', path })
/** How many ask for what is as long as the tree is large, and how often together. */
const PATIENT = 2
const LONG_ANSWERS = 8
/** No connection is without a request. */
const same = (path: string, count = Number(flags.connections)): JobRequest[] => {
  return Array.from({ length: count }, () => get(path))
}

const rows: readonly Row[] = [
  { name: 'home with top-level pages', kind: 'read', requests: () => same(PAGE) },
  { name: 'whole tree, nested', kind: 'read', isLong: true, requests: () => same(`${PAGE}?all=1`, LONG_ANSWERS) },
  { name: 'whole tree, flat', kind: 'read', isLong: true, requests: () => same(`${PAGE}?all=1&flat=1`, LONG_ANSWERS) },
  {
    name: 'one page, with ancestors and children',
    kind: 'read',
    requests: (ids) => spread(ids, URLS).map((id) => get(`${PAGE}/${id}`)),
  },
  {
    name: 'POST',
    kind: 'write',
    requests: (ids) =>
      Array.from({ length: WARM_UP + INSERTS }, (_, index) => {
        const body = {
          type: 'chapter',
          title: `New ${index}`,
          _targetId: ids[index % ids.length],
          _position: 'lastChild',
        }
        return { method: 'POST', path: PAGE, body: JSON.stringify(body) }
      }),
  },
]

await withMeasuring(flags, (measuring) =>
  runTable({
    name: 'pages',
    title: 'Benchmarks of the tree of pages',
    columns: [
      ['Database', 'Pages', 'Row', 'Caller', 'Cache'],
      ['Requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'Of bare by CPU', 'Memory MB'],
    ],
    flags,
    isWhole: flags.sizes === '200,10000',
    sizes: flags.sizes.split(',').map(Number),
    measure: (on) => measureTree(measuring, on),
    explanation:
      () => `Pages of 1 KB, ten children each. What is measured, and how, is as in [results.md](results.md); whole trees are asked for
${LONG_ANSWERS} times by ${PATIENT} connections, all else by ${flags.connections} connections for ${flags.seconds} s. Answers of more than 4 MB are made anew each time, whether the
cache is on or off. Moves are sent one after the other, with the cache on; for them *CPU µs* holds what search catches up
meanwhile. *Memory* is what the service holds after the row, with the pages of the database file that it has mapped.`,
  }),
)

async function measureTree(measuring: Measuring, { database, url, size, add }: EmptyDatabase): Promise<void> {
  const patient: Measuring = { ...measuring, connections: PATIENT, seconds: null }
  // `as`: load-pages.ts answers with this when it is given a size.
  const ids = (await loaded({ database: url, size })) as readonly string[]
  for (const cache of [false, true]) {
    const service = await startService({ database: url, key: KEY, ...(cache ? {} : { cacheBytes: 0 }) }, null)
    try {
      for (const row of rows.filter(({ kind }) => cache || kind === 'read')) {
        for (const caller of row.kind === 'read' ? ['anonymous', 'key'] : ['key']) {
          const key = caller === 'key' ? KEY : null
          const asked = { requests: row.requests(ids), isRead: row.kind === 'read', isCached: cache, key }
          const { ours, bare, rss } = await measure(row.isLong ? patient : measuring, service, asked)
          const { perSecond, p50, p99, cpu } = ours
          add([
            database,
            size,
            row.name,
            caller,
            cache ? 'on' : 'off',
            perSecond,
            p50,
            p99,
            cpu,
            bare.cpu / cpu,
            rss / 1e6,
          ])
        }
      }
    } finally {
      await service.child.stop()
    }
  }
  // `as`: and with this when it is not.
  const moved = (await loaded({ database: url, size: null })) as MovedPages
  const service = await startService({ database: url, key: KEY }, null)
  const moves = await measureMoves(service, moved).finally(() => service.child.stop())
  add([database, size, 'move of a subtree of 1,000', 'key', 'on', ...moves])
}

async function loaded(settings: { readonly database: string; readonly size: number | null }): Promise<unknown> {
  const loader = await startChild('load-pages.ts', settings)
  return loader.ask({}).finally(() => loader.stop())
}

/** One after the other: to one page, and back below the other. */
async function measureMoves(service: Server, { subtree, landings }: MovedPages): Promise<(number | string)[]> {
  const times: number[] = []
  const before = await usage(service)
  for (let index = 0; index < MOVES; index += 1) {
    const started = performance.now()
    const response = await fetch(`${service.address}${PAGE}/${subtree}`, {
      method: 'PATCH',
      headers: { authorization: `ApiKey ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ _targetId: landings[index % 2], _position: 'lastChild' }),
    })
    if (!response.ok) throw new Error(`A move answers ${response.status}: ${await response.text()}`)
    await response.text()
    times.push(performance.now() - started)
  }
  const after = await usage(service)
  const sorted = times.toSorted((a, b) => a - b)
  const perSecond = (1000 * MOVES) / times.reduce((sum, time) => sum + time, 0)
  const at = (part: number) => sorted[Math.floor((MOVES - 1) * part)] ?? 0
  return [perSecond, at(0.5), at(0.99), (after.cpu - before.cpu) / MOVES, '', after.rss / 1e6]
}
