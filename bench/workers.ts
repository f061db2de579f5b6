import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Child, Job, JobRequest, Measured } from './children.ts'
import { startProgram } from './children.ts'
import { type ServiceOfWorkers, startWorkers } from './command.ts'
import { type ProcessorTimes, processorTimes } from './processes.ts'
import type { Samples } from './samples.ts'
import { startClient } from './start.ts'
import { median } from './steady.ts'
import { type EmptyDatabase, runTable, TABLE_FLAGS } from './tables.ts'

// `node bench/workers.ts`: how much more two workers serve than one. Writes `bench/results-workers.md`, or prints the
// table when only some of it is asked for.

const { values: flags } = parseArgs({
  options: {
    ...TABLE_FLAGS,
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
  },
})
const ROUNDS = Number(flags.rounds)
const SECONDS = Number(flags.seconds)
const WARM_UP_SECONDS = 6
const ARTICLES = 5000
const PAGES = 10_000
const CONNECTIONS = 16
const LIST = '/api/v1/article'

interface WorkersRow {
  readonly name: string
  readonly connections?: number
  paths(samples: Samples): readonly string[]
}

const rows: readonly WorkersRow[] = [
  { name: 'whole tree of 10,000', connections: 4, paths: () => ['/api/v1/@cms/page?all=1'] },
  {
    name: 'counts of a search',
    paths: ({ articles }) =>
      articles.map(({ title }) => `${LIST}?search=${title.split(' ')[0]}&counts=section,_topics&perPage=1`),
  },
  { name: 'list of 50', paths: () => Array.from({ length: 90 }, (_, page) => `${LIST}?perPage=50&page=${page + 1}`) },
  { name: 'one by id', paths: ({ articles }) => articles.map(({ id }) => `${LIST}/${id}`) },
]

/** The requests of a round, and the shares of one processor that they took: 1 is all of it. */
interface Round {
  readonly perSecond: number
  /** Processor time of the service for each request, in microseconds. */
  readonly cpu: number
  /** The whole service: more than 1 where one worker has others of its threads at work, too. */
  readonly service: number
  readonly workers: readonly number[]
  readonly client: number
  readonly database: number
  /** Of all that runs on the machine next to the benchmark. */
  readonly others: number
}

const client = await startClient()
try {
  await runTable({
    name: 'workers',
    title: 'Benchmarks of workers',
    columns: [
      ['Database', 'Row'],
      [
        'One, /s',
        'CPU µs',
        'One %',
        'Two, /s',
        'CPU µs',
        '×',
        'lowest',
        'highest',
        'Two %',
        'Client %',
        'Database %',
        'Others %',
      ],
    ],
    flags,
    isWhole: flags.only === '' && process.argv.length === 2,
    measure,
    explanation:
      () => `\`quire serve\` and \`quire serve --workers 2\` on one database of ${ARTICLES} articles and ${PAGES} pages, without the answer cache. Both are
warmed up for ${WARM_UP_SECONDS} s with each row, and then asked for ${SECONDS} s each in turn, ${ROUNDS} times, over ${CONNECTIONS} connections (four for the whole tree). *×* is the
median of the ratios of all rounds, with the lowest and the highest of them. Percentages are medians, of one processor: *One* is what a
single worker takes, all its threads together; *Two* is each of two workers, and next to them the client, the database's own processes,
and whatever else ran on the machine.

On a machine with two processors, two workers can serve twice as much as one only where one takes no more than one processor, and
client and database next to nothing. Collecting garbage is done by threads of its own: where answers are long, a single worker
takes up to a quarter of the other processor already. The row that says what workers bring is *counts of a search*: its answers are
short, and the client has hardly anything to do (target: 1.7).`,
  })
} finally {
  await client.stop()
}

async function measure({ url, uploads, database, add }: EmptyDatabase): Promise<void> {
  const settings = { database: url, uploads, size: ARTICLES, pages: PAGES }
  const loader = await startProgram(new URL('load.ts', import.meta.url).pathname, { args: [JSON.stringify(settings)] })
  // `as`: load.ts answers with this.
  const { samples } = (await loader.ask({}).finally(() => loader.stop())) as { samples: Samples }
  const served = { database: url, uploads, cacheMegabytes: 0 }
  const services: ServiceOfWorkers[] = []
  try {
    for (const count of [1, 2]) services.push(await startWorkers(served, count))
    await pause(2000)
    for (const row of rows.filter(({ name }) => name.includes(flags.only))) {
      add([database, row.name, ...(await measureRow(row, samples, services))])
    }
  } finally {
    for (const service of services) await service.stop()
  }
}

async function measureRow(row: WorkersRow, samples: Samples, services: readonly ServiceOfWorkers[]) {
  for (const service of services) await round(row, samples, service, WARM_UP_SECONDS)
  const pairs: { one: Round; two: Round }[] = []
  const [single, double] = services
  if (single === undefined || double === undefined) return []
  for (let index = 0; index < ROUNDS; index += 1) {
    const one = await round(row, samples, single, SECONDS)
    const two = await round(row, samples, double, SECONDS)
    pairs.push({ one, two })
  }
  const ratios = pairs.map(({ one, two }) => two.perSecond / one.perSecond)
  const percent = (figure: (round: Round) => number) => Math.round(100 * median(pairs.map(({ two }) => figure(two))))
  return [
    median(pairs.map(({ one }) => one.perSecond)),
    median(pairs.map(({ one }) => one.cpu)),
    Math.round(100 * median(pairs.map(({ one }) => one.service))),
    median(pairs.map(({ two }) => two.perSecond)),
    median(pairs.map(({ two }) => two.cpu)),
    median(ratios).toFixed(2),
    Math.min(...ratios).toFixed(2),
    Math.max(...ratios).toFixed(2),
    [0, 1].map((worker) => percent(({ workers }) => workers[worker] ?? 0)).join(' + '),
    percent(({ client }) => client),
    percent(({ database }) => database),
    percent(({ others }) => others),
  ]
}

async function round(
  { paths, connections = CONNECTIONS }: WorkersRow,
  samples: Samples,
  { address, pid }: ServiceOfWorkers,
  seconds: number,
): Promise<Round> {
  const requests = paths(samples).map((path): JobRequest => ({ method: 'GET', path }))
  const before = processorTimes()
  const started = performance.now()
  const job: Job = { url: address, connections, headers: {}, requests, seconds }
  // `as`: client.ts answers jobs with this.
  const measured = (await client.ask(job)) as Measured
  if (measured.failures > 0) throw new Error(`${measured.failures} failed. ${measured.failure}`)
  const elapsed = performance.now() - started
  const after = processorTimes()
  const cpu = (1000 * (after.ofTree(pid) - before.ofTree(pid))) / measured.requests
  return { perSecond: measured.perSecond, cpu, ...sharesOf(before, after, elapsed, pid, client) }
}

function sharesOf(
  before: ProcessorTimes,
  after: ProcessorTimes,
  elapsed: number,
  service: number,
  { pid }: Child,
): Omit<Round, 'perSecond' | 'cpu'> {
  const share = (of: (times: ProcessorTimes) => number) => (of(after) - of(before)) / elapsed
  const [all, served, asked] = [process.pid, service, pid].map((pid) => share((times) => times.ofTree(pid)))
  const earlier = before.ofChildren(service)
  return {
    service: served ?? 0,
    workers: after.ofChildren(service).map((milliseconds, index) => (milliseconds - (earlier[index] ?? 0)) / elapsed),
    client: asked ?? 0,
    database: (all ?? 0) - (served ?? 0) - (asked ?? 0),
    others: share(({ machine }) => machine) - (all ?? 0),
  }
}
