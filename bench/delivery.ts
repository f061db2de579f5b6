import { parseArgs } from 'node:util'
import { startChild } from './children.ts'
import type { DeliverySamples } from './load-delivery.ts'
import { type Measuring, measure, WARM_UP } from './measure.ts'
import { startService } from './start.ts'
import { type EmptyDatabase, repeated, runTable, TABLE_FLAGS, withMeasuring } from './tables.ts'

// `node bench/delivery.ts`: pages as visitors and external front ends get them. Writes `bench/results-delivery.md`, or
// prints the table when only some of it is asked for.

const { values: flags } = parseArgs({
  options: {
    ...TABLE_FLAGS,
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
    profile: { type: 'string' },
  },
})

const KEY = 'bench-key'
const FRONT_KEY = 'bench-front-key'
const PAGES = 100
const ARTICLES = 1000

/** What is asked for. */
interface Row {
  readonly name: string
  requests(samples: DeliverySamples): readonly string[]
  readonly isFront?: boolean
  readonly status?: number
}

const LIST = '/api/v1/article?perPage=10'

const rows: readonly Row[] = [
  { name: 'page of 20 widgets', requests: ({ pages }) => pages },
  { name: 'page of 20 widgets, `aposRefresh`', requests: ({ pages }) => pages.map((path) => `${path}?aposRefresh=1`) },
  { name: 'page of 20 widgets, front-end JSON', requests: ({ pages }) => pages, isFront: true },
  {
    name: 'index page of 10 pieces',
    requests: () => Array.from({ length: 50 }, (_, at) => `/articles?page=${at + 1}`),
  },
  { name: 'page of a piece', requests: ({ articles }) => articles.slice(0, 200) },
  { name: '404', requests: () => Array.from({ length: 100 }, (_, at) => `/nosuch/${at}`), status: 404 },
  { name: 'list of 10, of the interface', requests: () => pageNumbers(LIST) },
  { name: 'the same with `render-areas`', requests: () => pageNumbers(`${LIST}&render-areas=1`) },
]

function pageNumbers(path: string): string[] {
  return Array.from({ length: 50 }, (_, at) => `${path}&page=${at + 1}`)
}

await withMeasuring(flags, (measuring) =>
  runTable({
    name: 'delivery',
    title: 'Benchmarks of delivery',
    columns: [
      ['Database', 'Row', 'Cache'],
      ['Requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'Requests/s of one core', 'Of bare by CPU', 'Memory MB'],
    ],
    flags,
    isWhole: flags.only === '',
    measure: (on) => measureDelivery(measuring, on),
    explanation:
      () => `${PAGES} pages of 20 widgets (half of them rich text) with three related topics, ${ARTICLES} articles with an index page; all asked for
anonymously by ${flags.connections} connections for ${flags.seconds} s. What is measured, and how, is as in [results.md](results.md). *Requests/s of one core*
is what the processor time of the service allows, whatever else ran on the machine. 404s are never cached.`,
  }),
)

async function measureDelivery(measuring: Measuring, { database, url, add }: EmptyDatabase): Promise<void> {
  const loader = await startChild('load-delivery.ts', { database: url, pages: PAGES, articles: ARTICLES })
  // `as`: load-delivery.ts answers with this.
  const samples = (await loader.ask({}).finally(() => loader.stop())) as DeliverySamples
  for (const cache of [false, true]) {
    const settings = { database: url, key: KEY, frontKey: FRONT_KEY, ...(cache ? {} : { cacheBytes: 0 }) }
    const service = await startService(settings, flags.profile ?? null)
    try {
      for (const row of rows.filter(({ name }) => name.includes(flags.only))) {
        const { ours, bare, rss } = await measure(measuring, service, {
          requests: repeated(row.requests(samples), Math.max(5000, WARM_UP)),
          isRead: true,
          isCached: true,
          key: null,
          ...(row.isFront
            ? { headers: { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY } }
            : {}),
          ...(row.status === undefined ? {} : { status: row.status }),
        })
        const { perSecond, p50, p99, cpu } = ours
        const cells = [perSecond, p50, p99, cpu, 1e6 / cpu, bare.cpu / cpu, rss / 1e6]
        add([database, row.name, cache ? 'on' : 'off', ...cells])
      }
    } finally {
      await service.child.stop()
    }
  }
}
