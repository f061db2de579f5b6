import { parseArgs } from 'node:util'
import { type JobRequest, startChild } from './children.ts'
import { FRONT_KEY } from './command.ts'
import type { DeliverySamples } from './load-delivery.ts'
import type { Row } from './row.ts'
import { type Bench, measureRow } from './steady.ts'
import { type EmptyDatabase, runTable, TABLE_FLAGS, withAndWithoutCache, withBench } from './tables.ts'

// `node bench/delivery.ts`: pages as visitors and external front ends get them. Writes `bench/results-delivery.md`, or
// prints the table when only some of it is asked for.

const { values: flags } = parseArgs({
  options: {
    ...TABLE_FLAGS,
    only: { type: 'string', default: '' },
  },
})

const PAGES = 100
const ARTICLES = 1000

const LIST = '/api/v1/article?perPage=10'

type DeliveryRow = Pick<Row<DeliverySamples>, 'headers' | 'status'> & {
  readonly name: string
  paths(samples: DeliverySamples): readonly string[]
}

const rows: readonly DeliveryRow[] = [
  { name: 'page of 20 widgets', paths: ({ pages }) => pages },
  { name: 'page of 20 widgets, `aposRefresh`', paths: ({ pages }) => pages.map((path) => `${path}?aposRefresh=1`) },
  {
    name: 'page of 20 widgets, front-end JSON',
    paths: ({ pages }) => pages,
    headers: () => ({ 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY }),
  },
  { name: 'index page of 10 pieces', paths: () => pageNumbers('/articles?') },
  { name: 'page of a piece', paths: ({ articles }) => articles.slice(0, 200) },
  { name: '404', paths: () => Array.from({ length: 100 }, (_, at) => `/nosuch/${at}`), status: 404 },
  { name: 'list of 10, of the interface', paths: () => pageNumbers(`${LIST}&`) },
  { name: 'the same with `render-areas`', paths: () => pageNumbers(`${LIST}&render-areas=1&`) },
]

function pageNumbers(path: string): string[] {
  return Array.from({ length: 50 }, (_, at) => `${path}page=${at + 1}`)
}

await withBench((bench) =>
  runTable({
    name: 'delivery',
    title: 'Benchmarks of delivery',
    columns: [
      ['Database', 'Row'],
      [
        'Cached, CPU µs',
        '× bare',
        'Miss, CPU µs',
        'Cache off, CPU µs',
        '/s of one core, cached',
        'missed',
        'Memory MB',
      ],
    ],
    flags,
    isWhole: flags.only === '',
    measure: (on) => measureDelivery(bench, on),
    explanation:
      () => `${PAGES} pages of 20 widgets (half of them rich text) with three related topics, ${ARTICLES} articles with an index page; all asked for
anonymously. What is measured, and how, is as in [results.md](results.md): each row with the same addresses again and again
(*cached*), and with one of its own for each request (*miss*). *Of one core* is what the processor time of the service allows,
whatever else ran on the machine. 404s are never cached.`,
  }),
)

async function measureDelivery(bench: Bench, { database, add, ...on }: EmptyDatabase): Promise<void> {
  const loader = await startChild('load-delivery.ts', { database: on.url, pages: PAGES, articles: ARTICLES })
  // `as`: load-delivery.ts answers with this.
  const samples = (await loader.ask({}).finally(() => loader.stop())) as DeliverySamples
  await withAndWithoutCache(on, samples, async (own, uncached) => {
    for (const { paths, ...row } of rows.filter(({ name }) => name.includes(flags.only))) {
      const requests = (samples: DeliverySamples) => paths(samples).map((path): JobRequest => ({ method: 'GET', path }))
      const [cached] = await measureRow(bench, { ...row, kind: 'cached', requests }, [own])
      const [miss, off] = await measureRow(bench, { ...row, kind: 'read', requests }, [own, uncached])
      if (cached === undefined || miss === undefined || off === undefined) continue
      const cells = [cached.cpu, cached.cpu / cached.bare, miss.cpu, off.cpu, 1e6 / cached.cpu, 1e6 / miss.cpu]
      add([database, row.name, ...cells, miss.rss / 1e6])
    }
  })
}
