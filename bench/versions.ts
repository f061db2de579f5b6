import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '../cms/test/postgres-server.ts'
import { type JobRequest, startChild } from './children.ts'
import type { VersionSamples } from './load-versions.ts'
import { type Measuring, measure, WARM_UP } from './measure.ts'
import { startBare, startClient, startService } from './start.ts'

// `node bench/versions.ts`: the history of documents, short and long. Writes `bench/results-versions.md`, or prints the
// table when only some of it is asked for.

const { values: flags } = parseArgs({
  options: {
    databases: { type: 'string', default: 'sqlite,postgres' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '4' },
    versions: { type: 'string', default: '10000' },
    only: { type: 'string', default: '' },
    out: { type: 'string' },
  },
})

const KEY = 'bench-key'
const API = '/api/v1/@cms'

/** What is asked for. */
interface Row {
  readonly name: string
  requests(samples: VersionSamples): readonly string[]
}

const one = (id: string, more: string) => `${API}/document-versions/${id}${more}`
const rows: readonly Row[] = [
  { name: 'list, 10 versions', requests: ({ short }) => [`${API}/document-versions?docId=${short}`] },
  { name: 'list, long history', requests: ({ long }) => [`${API}/document-versions?docId=${long}`] },
  {
    name: 'list, long history, `consolidate`',
    requests: ({ long }) => [`${API}/document-versions?docId=${long}&consolidate=1`],
  },
  { name: 'recent changes', requests: () => [`${API}/recent-changes`] },
  { name: 'one version', requests: ({ edited }) => edited.map((id) => one(id, '')) },
  { name: 'changes, a paragraph', requests: ({ edited }) => edited.map((id) => one(id, '/changes')) },
  { name: 'changes, another text', requests: ({ rewritten }) => rewritten.map((id) => one(id, '/changes')) },
  { name: 'annotated, a paragraph', requests: ({ edited }) => edited.map((id) => one(id, '?annotate=1')) },
  { name: 'annotated, another text', requests: ({ rewritten }) => rewritten.map((id) => one(id, '?annotate=1')) },
]

const measuring: Measuring = {
  client: await startClient(),
  bare: await startBare(),
  connections: Number(flags.connections),
  seconds: Number(flags.seconds),
}
const started = new Date()
const lines = [
  '| Database | Row | Requests/s | p50 ms | p99 ms | CPU ms | Memory MB |',
  '|---|---|--:|--:|--:|--:|--:|',
]
const sizes: string[] = []
for (const database of flags.databases.split(',')) {
  if (database === 'sqlite') await onFile((url) => measureVersions(database, url))
  else await onServer((url) => measureVersions(database, url))
}
await measuring.client.stop()
await measuring.bare.child.stop()
const isWhole = flags.databases === 'sqlite,postgres' && flags.only === ''
const out = flags.out ?? (isWhole ? fileURLToPath(new URL('results-versions.md', import.meta.url)) : null)
if (out === null) console.log([...lines, ...sizes].join('\n'))
else await writeFile(out, report())

function report(): string {
  const minutes = ((Date.now() - started.getTime()) / 60_000).toFixed(0)
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown processor'}), Node.js ${process.versions.node}`
  return `# Benchmarks of versions

Made by \`node bench/versions.ts\` on ${started.toISOString().slice(0, 10)} in ${minutes} minutes: ${machine}.

Articles with 10 and with ${flags.versions} versions of about 50 KB, asked for with the key of an editor by ${flags.connections} connections for
${flags.seconds} s. *CPU* is the processor time of the service for each request. Answers about versions are not cached; the counts of lists are.
${sizes.join('\n')}

${lines.join('\n')}
`
}

async function onFile(work: (url: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'))
  await work(`sqlite:${join(folder, 'bench.db')}`).finally(() => rm(folder, { recursive: true, force: true }))
}

async function onServer(work: (url: string) => Promise<void>): Promise<void> {
  const server = await startPostgres()
  await work(server.url).finally(() => server.stop())
}

async function measureVersions(database: string, url: string): Promise<void> {
  const loader = await startChild('load-versions.ts', { database: url, versions: Number(flags.versions) })
  // `as`: load-versions.ts answers with this.
  const samples = (await loader.ask({}).finally(() => loader.stop())) as VersionSamples
  sizes.push(`On ${database} a version takes ${(samples.bytes / 1000).toFixed(1)} KB.`)
  const service = await startService({ database: url, key: KEY }, null)
  try {
    for (const row of rows.filter(({ name }) => name.includes(flags.only))) {
      const requests = repeated(row.requests(samples))
      const { ours, rss } = await measure(measuring, service, { requests, isRead: true, isCached: false, key: KEY })
      print([database, row.name, ours.perSecond, ours.p50, ours.p99, ours.cpu / 1000, rss / 1e6])
    }
  } finally {
    await service.child.stop()
  }
}

/** Enough to warm up with. */
function repeated(paths: readonly string[]): JobRequest[] {
  return Array.from({ length: WARM_UP }, (_, at) => ({ method: 'GET', path: paths[at % paths.length] ?? '/' }))
}

function print(cells: readonly (string | number)[]): void {
  const shown = cells.map((cell) => (typeof cell === 'number' ? String(Number(cell.toPrecision(3))) : cell))
  const line = `| ${shown.join(' | ')} |`
  lines.push(line)
  console.error(line)
}
