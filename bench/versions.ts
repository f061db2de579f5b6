import { parseArgs } from 'node:util'
import { startChild } from './children.ts'
import type { VersionSamples } from './load-versions.ts'
import { type Measuring, measure, WARM_UP } from './measure.ts'
import { startService } from './start.ts'
import { type EmptyDatabase, repeated, runTable, TABLE_FLAGS, withMeasuring } from './tables.ts'

// `node bench/versions.ts`: the history of documents, short and long. Writes `bench/results-versions.md`, or prints the
// table when only some of it is asked for.

const { values: flags } = parseArgs({
  options: {
    ...TABLE_FLAGS,
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '4' },
    versions: { type: 'string', default: '10000' },
    only: { type: 'string', default: '' },
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

const sizes: string[] = []
await withMeasuring(flags, (measuring) =>
  runTable({
    name: 'versions',
    title: 'Benchmarks of versions',
    columns: [
      ['Database', 'Row'],
      ['Requests/s', 'p50 ms', 'p99 ms', 'CPU ms', 'Memory MB'],
    ],
    flags,
    isWhole: flags.only === '',
    measure: (on) => measureVersions(measuring, on),
    explanation:
      () => `Articles with 10 and with ${flags.versions} versions of about 50 KB, asked for with the key of an editor by ${flags.connections} connections for
${flags.seconds} s. *CPU* is the processor time of the service for each request. Answers about versions are not cached; the counts of lists are.
${sizes.join('\n')}`,
  }),
)

async function measureVersions(measuring: Measuring, { database, url, add }: EmptyDatabase): Promise<void> {
  const loader = await startChild('load-versions.ts', { database: url, versions: Number(flags.versions) })
  // `as`: load-versions.ts answers with this.
  const samples = (await loader.ask({}).finally(() => loader.stop())) as VersionSamples
  sizes.push(`On ${database} a version takes ${(samples.bytes / 1000).toFixed(1)} KB.`)
  const service = await startService({ database: url, key: KEY }, null)
  try {
    for (const row of rows.filter(({ name }) => name.includes(flags.only))) {
      const requests = repeated(row.requests(samples), WARM_UP)
      const { ours, rss } = await measure(measuring, service, { requests, isRead: true, isCached: false, key: KEY })
      add([database, row.name, ours.perSecond, ours.p50, ours.p99, ours.cpu / 1000, rss / 1e6])
    }
  } finally {
    await service.child.stop()
  }
}
