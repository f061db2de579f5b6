import { appendFile, readFile, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startCluster } from '../cms/test/postgres-cluster.ts'
import { databaseUrl, runOn } from '../cms/test/postgres-server.ts'
import { SERVING_KEYS, type Serving, serve } from '../cms/test/serving.ts'
import { temporaryFolder } from '../cms/test/temporary-folder.ts'
import { startTraffic, type Traffic } from './endurance-traffic.ts'
import { openFiles, processorTimes, processTree, residentBytes } from './processes.ts'
import { markdownTable } from './table.ts'

// `node bench/endurance.ts --minutes 120`: whether memory and descriptors stay level under steady traffic. One sample a
// minute goes into the log; `--table LOG` prints the table of what is there so far.

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    rate: { type: 'string', default: '8' },
    log: { type: 'string', default: join(tmpdir(), 'endurance.log') },
    table: { type: 'string' },
  },
})

/** Of one service, in a minute of the run. */
interface Sample {
  readonly minute: number
  readonly service: string
  readonly processes: number
  /** Megabytes. */
  readonly resident: number
  readonly heap: number
  readonly descriptors: number
  /** The share of one processor that it has taken since the start. */
  readonly share: number
  readonly answered: number
  readonly failed: number
}

interface Endured {
  readonly name: string
  readonly serving: Serving
  readonly traffic: Traffic
  readonly cpu: number
  stop(): Promise<void>
}

/** Caches fill, and code is compiled. */
const WARM_UP_MINUTES = 15
const MINUTE = 60_000
const MEGABYTE = 1024 ** 2
const SITE = fileURLToPath(new URL('site.ts', import.meta.url))
const OPTIONS = { MALLOC_ARENA_MAX: '2', QUIRE_LOG_LEVEL: 'info' }

async function endure(): Promise<void> {
  await rm(flags.log, { force: true })
  const services = [
    await onSqlite('one process', {}),
    await onSqlite('two workers', { QUIRE_WORKERS: '2' }),
    await onPostgres(),
  ]
  const started = performance.now()
  for (let minute = 0; minute <= Number(flags.minutes); minute += 1) {
    await pause(Math.max(1, started + minute * MINUTE - performance.now()))
    for (const service of services) await record(await sampleOf(service, minute, performance.now() - started))
  }
  for (const service of services) await service.stop()
}

const record = (sample: Sample) => appendFile(flags.log, `${JSON.stringify(sample)}\n`)

async function onSqlite(what: string, environment: Record<string, string>): Promise<Endured> {
  const folder = await temporaryFolder('quire-endurance')
  const serving = await serve(`sqlite:${join(folder, 'site.db')}`, { ...placesIn(folder), ...environment }, SITE)
  return endured(`SQLite, ${what}`, serving, () => rm(folder, { recursive: true, force: true }))
}

/** With a replica that it reads from. */
async function onPostgres(): Promise<Endured> {
  const folder = await temporaryFolder('quire-endurance')
  const { primary, replicas, stop } = await startCluster(1)
  await runOn(primary.url, 'create database shelf')
  const environment = { QUIRE_DATABASE_REPLICAS: replicas.map(({ url }) => databaseUrl(url, 'shelf')).join() }
  const serving = await serve(databaseUrl(primary.url, 'shelf'), { ...placesIn(folder), ...environment }, SITE)
  return endured('PostgreSQL with a replica', serving, async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })
}

const placesIn = (folder: string) => ({ ...OPTIONS, QUIRE_UPLOADS: join(folder, 'uploads') })

async function endured(name: string, serving: Serving, remove: () => Promise<void>): Promise<Endured> {
  const traffic = await startTraffic(serving.address, Number(flags.rate))
  const stop = async () => {
    await traffic.stop()
    await serving.end('SIGTERM')
    await remove()
  }
  return { name, serving, traffic, cpu: processorTimes().ofTree(serving.processId), stop }
}

async function sampleOf({ name, serving, traffic, cpu }: Endured, minute: number, elapsed: number): Promise<Sample> {
  const pids = processTree(serving.processId)
  return {
    minute,
    service: name,
    processes: pids.length,
    resident: sumOf(pids.map(residentBytes)) / MEGABYTE,
    heap: (await heapBytes(serving.address)) / MEGABYTE,
    descriptors: sumOf(pids.map(openFiles)),
    share: (processorTimes().ofTree(serving.processId) - cpu) / Math.max(1, elapsed),
    answered: traffic.answered(),
    failed: traffic.failed(),
  }
}

/** As the service reports it; NaN where it does not answer. */
async function heapBytes(address: string): Promise<number> {
  const headers = { authorization: `ApiKey ${SERVING_KEYS.admin}` }
  const answer = await fetch(`${address}/api/v1/metrics`, { headers }).catch(() => null)
  return Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec((await answer?.text()) ?? '')?.[1])
}

async function samplesOf(file: string): Promise<Sample[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  // `as`: lines are written by `record` alone.
  return lines.map((line) => JSON.parse(line) as Sample)
}

function table(samples: readonly Sample[]): string {
  const services = Map.groupBy(samples, ({ service }) => service)
  const rows = [...services].flatMap(([service, all]) => [
    rowOf(`${service}: memory, MB`, all, ({ resident }) => resident),
    rowOf(`${service}: heap, MB`, all, ({ heap }) => heap),
    rowOf(`${service}: descriptors`, all, ({ descriptors }) => descriptors),
  ])
  const head = ['What', 'Minute 0', '1st quarter', '2nd', '3rd', '4th', 'At most', 'Change in an hour']
  return [markdownTable(head, rows), '', ...[...services.values()].map(traffic)].join('\n')
}

/** Medians of the quarters after the warm-up, and the slope of a straight line through them. */
function rowOf(name: string, all: readonly Sample[], figure: (sample: Sample) => number): string[] {
  // What a service did not report is written as null.
  const known = all.filter((sample) => Number.isFinite(figure(sample)))
  const warm = known.filter(({ minute }) => minute >= WARM_UP_MINUTES)
  const quarters = [0, 1, 2, 3].map((quarter) =>
    warm.slice(Math.floor((quarter * warm.length) / 4), Math.floor(((quarter + 1) * warm.length) / 4)),
  )
  const first = known.slice(0, 1).map(figure)
  const figures = [first, ...quarters.map((quarter) => quarter.map(figure))].map(median)
  return [name, ...[...figures, Math.max(...known.map(figure)), slope(warm, figure)].map(shown)]
}

/** The change in an hour, by least squares. */
function slope(samples: readonly Sample[], figure: (sample: Sample) => number): number {
  const minutes = mean(samples.map(({ minute }) => minute))
  const level = mean(samples.map(figure))
  const above = sumOf(samples.map((sample) => (sample.minute - minutes) * (figure(sample) - level)))
  return (60 * above) / sumOf(samples.map(({ minute }) => (minute - minutes) ** 2))
}

function traffic(all: readonly Sample[]): string {
  const last = all.at(-1)
  if (last === undefined) return ''
  const { service, minute, answered, failed, share } = last
  return `${service}: ${minute} minutes, ${answered} requests answered, ${failed} not; ${Math.round(100 * share)} % of one of ${cpus().length} processors.`
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)
const mean = (numbers: readonly number[]) => sumOf(numbers) / numbers.length
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
const shown = (number: number) => String(Number(number.toFixed(1)))

if (flags.table === undefined) await endure()
console.log(table(await samplesOf(flags.table ?? flags.log)))
