import { parseArgs } from 'node:util'
import { startChild } from './children.ts'
import { KEY } from './command.ts'
import type { VersionSamples } from './load-versions.ts'
import type { Row } from './row.ts'
import { type Bench, measureRow } from './steady.ts'
import { type EmptyDatabase, runTable, TABLE_FLAGS, withBench, withService } from './tables.ts'

// `node bench/versions.ts`: the history of documents, short and long. Writes `bench/results-versions.md`, or prints the
// table when only some of it is asked for.

const { values: flags } = parseArgs({
  options: {
    ...TABLE_FLAGS,
    versions: { type: 'string', default: '10000' },
    only: { type: 'string', default: '' },
  },
})

const API = '/api/v1/@cms'

const one = (id: string, more: string) => `${API}/document-versions/${id}${more}`
const paths: Readonly<Record<string, (samples: VersionSamples) => readonly string[]>> = {
  'list, 10 versions': ({ short }) => [`${API}/document-versions?docId=${short}`],
  'list, long history': ({ long }) => [`${API}/document-versions?docId=${long}`],
  'list, long history, `consolidate`': ({ long }) => [`${API}/document-versions?docId=${long}&consolidate=1`],
  'recent changes': () => [`${API}/recent-changes`],
  'one version': ({ edited }) => edited.map((id) => one(id, '')),
  'changes, a paragraph': ({ edited }) => edited.map((id) => one(id, '/changes')),
  'changes, another text': ({ rewritten }) => rewritten.map((id) => one(id, '/changes')),
  'annotated, a paragraph': ({ edited }) => edited.map((id) => one(id, '?annotate=1')),
  'annotated, another text': ({ rewritten }) => rewritten.map((id) => one(id, '?annotate=1')),
}
const rows = Object.entries(paths).map(
  ([name, pathsOf]): Row<VersionSamples> => ({
    name,
    kind: 'read',
    headers: () => ({ authorization: `ApiKey ${KEY}` }),
    requests: (samples) => pathsOf(samples).map((path) => ({ method: 'GET', path })),
  }),
)

const sizes: string[] = []
await withBench((bench) =>
  runTable({
    name: 'versions',
    title: 'Benchmarks of versions',
    columns: [
      ['Database', 'Row'],
      ['CPU ms', '× bare', '/s', 'p50 ms', 'p99 ms', 'Memory MB'],
    ],
    flags,
    isWhole: flags.only === '',
    measure: (on) => measureVersions(bench, on),
    explanation:
      () => `Articles with 10 and with ${flags.versions} versions of about 50 KB, asked for with the key of an admin. What is measured,
and how, is as in [results.md](results.md). Answers about versions are not cached; the counts of lists are.
${sizes.join('\n')}`,
  }),
)

async function measureVersions(bench: Bench, { database, url, uploads, add }: EmptyDatabase): Promise<void> {
  const loader = await startChild('load-versions.ts', { database: url, versions: Number(flags.versions) })
  // `as`: load-versions.ts answers with this.
  const samples = (await loader.ask({}).finally(() => loader.stop())) as VersionSamples
  sizes.push(`On ${database} a version takes ${(samples.bytes / 1000).toFixed(1)} KB.`)
  await withService({ url, uploads }, undefined, async (service) => {
    for (const row of rows.filter(({ name }) => name.includes(flags.only))) {
      for (const figures of await measureRow(bench, row, [{ name: '', service, samples, sent: 0 }])) {
        const { cpu, bare, perSecond, p50, p99, rss } = figures
        add([database, row.name, cpu / 1000, cpu / bare, perSecond, p50, p99, rss / 1e6])
      }
    }
  })
}
