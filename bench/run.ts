import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '../cms/test/postgres-server.ts'
import { ACCESS, measureAccess } from './access.ts'
import { startChild } from './children.ts'
import { type Measuring, measure, type Result, type Server, WARM_UP } from './measure.ts'
import { type Run, report, type Section } from './report.ts'
import { type Row, rows } from './rows.ts'
import type { Samples } from './samples.ts'
import { coldStart, startBare, startClient, startService } from './start.ts'

const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '5000,100000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string' },
    out: { type: 'string' },
    profile: { type: 'string' },
  },
})
const KEY = 'bench-key'
const WRITES_A_SECOND = 1000

const seconds = Number(flags.seconds)
const isWanted = (name: string) => flags.only === undefined || flags.only.split(',').some((part) => name.includes(part))
const wanted = rows.filter((row) => isWanted(row.name))
const started = new Date()
const measuring: Measuring = {
  client: await startClient(),
  bare: await startBare(),
  connections: Number(flags.connections),
  seconds,
}
const sections: Section[] = []
for (const database of flags.databases.split(',')) {
  for (const size of flags.sizes.split(',')) {
    sections.push(
      await withDatabase(database, (url) =>
        measureDatabase(database === 'sqlite' ? 'sqlite' : 'postgres', Number(size), url),
      ),
    )
  }
}
await measuring.client.stop()
await measuring.bare.child.stop()
const run: Run = {
  started,
  minutes: (Date.now() - started.getTime()) / 60_000,
  seconds,
  connections: measuring.connections,
  sections,
}
const out = flags.out ?? (flags.only === undefined ? fileURLToPath(new URL('results.md', import.meta.url)) : null)
if (out === null) console.log(report(run))
else await writeFile(out, report(run))

async function withDatabase<T>(kind: string, work: (url: string) => Promise<T>): Promise<T> {
  if (kind === 'postgres') {
    const server = await startPostgres()
    try {
      return await work(server.url)
    } finally {
      await server.stop()
    }
  }
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'))
  try {
    return await work(`sqlite:${join(folder, 'bench.db')}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureDatabase(database: Section['database'], size: number, url: string): Promise<Section> {
  say(`${database}, ${size}: loading`)
  const loading = performance.now()
  const samples = await load(url, size)
  const loaded = (performance.now() - loading) / 1000
  say(`${database}, ${size}: loaded in ${loaded.toFixed(1)} s`)
  const cold = await coldStart({ database: url, key: KEY }, `/api/v1/article/${samples.articles[0]?.id}`)
  say(`${database}, ${size}: cold start ${cold.milliseconds.toFixed(0)} ms`)
  const reads = wanted.filter((row) => row.kind === 'read')
  const writes = wanted.filter((row) => row.kind === 'write')
  const withoutCache = await withService(url, 0, async (service) => ({
    results: await measureRows(service, samples, reads, false),
    access: isWanted(ACCESS) ? await measureAccess(measuring, service, url, samples) : [],
  }))
  const rest = await withService(url, null, async (service) => {
    const read = await measureRows(service, samples, reads, true)
    const written = await measureRows(service, samples, writes, true)
    return { results: [...read, ...written], searchAfterWrites: writes.length > 0 ? await searchTime(service) : null }
  })
  return {
    database,
    size,
    load: loaded,
    coldStart: cold.milliseconds,
    rssAtRest: cold.rss,
    searchAfterWrites: rest.searchAfterWrites,
    results: inOrder([...withoutCache.results, ...rest.results]),
    access: withoutCache.access,
  }
}

async function load(database: string, size: number): Promise<Samples> {
  const loader = await startChild('load.ts', { database, size })
  // `as`: load.ts answers its first message with this.
  const samples = (await loader.ask({})) as Samples
  await loader.stop()
  return samples
}

async function withService<T>(
  database: string,
  cacheBytes: number | null,
  work: (service: Server) => Promise<T>,
): Promise<T> {
  const service = await startService(
    { database, key: KEY, ...(cacheBytes === null ? {} : { cacheBytes }) },
    flags.profile ?? null,
  )
  try {
    await searchTime(service) // Brings the search index up to date, which would go on beside the first rows.
    return await work(service)
  } finally {
    await service.child.stop()
  }
}

async function measureRows(
  service: Server,
  samples: Samples,
  wanted: readonly Row[],
  cache: boolean,
): Promise<Result[]> {
  const results: Result[] = []
  for (const row of wanted) {
    const callers = row.kind === 'write' ? (['key'] as const) : (['anonymous', 'key'] as const)
    for (const caller of callers) {
      const requests = row.requests(samples, WARM_UP + seconds * WRITES_A_SECOND)
      const key = caller === 'key' ? KEY : null
      const measured = await measure(measuring, service, {
        requests,
        isRead: row.kind === 'read',
        isCached: cache,
        key,
      })
      say(
        `  ${row.name}, ${caller}, cache ${cache ? 'on' : 'off'}: ${measured.ours.perSecond.toFixed(0)}/s, ${measured.ours.cpu.toFixed(0)} µs CPU, ${(measured.bare.cpu / measured.ours.cpu).toFixed(2)} of bare`,
      )
      results.push({ row: row.name, caller, cache, ...measured })
    }
  }
  return results
}

async function searchTime(service: Server): Promise<number> {
  const asked = performance.now()
  await (await fetch(`${service.address}/api/v1/article?search=somewords`)).text()
  return performance.now() - asked
}

/** As the rows stand, and within a row first without the cache. */
function inOrder(results: readonly Result[]): Result[] {
  const place = (result: Result) => rows.findIndex((row) => row.name === result.row)
  return results.toSorted((a, b) => place(a) - place(b))
}

function say(line: string): void {
  console.error(line)
}
