import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { type FirstAnswer, firstAnswerOf, HERE, startCommand } from './command.ts'
import type { Row } from './row.ts'
import { rows } from './rows.ts'
import { samplesOf } from './sizes/load-kernel.ts'
import { startBare, startClient } from './start.ts'
import { type Figures, measureRow, QUICK } from './steady.ts'
import { markdownTable } from './table.ts'

// `npx node bench/sizes.ts --samples FILE --uploads FOLDER --out FILE NAME=URL …`: what reads cost, and how large indexes are,
// in databases of different sizes that `sizes/load-kernel.ts` and `sizes/multiply.ts` have filled.

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    samples: { type: 'string', default: '' },
    uploads: { type: 'string', default: '' },
    out: { type: 'string', default: fileURLToPath(new URL('results-sizes.md', import.meta.url)) },
    /** Names of rows, or parts of them. */
    rows: { type: 'string', default: '' },
    kind: { type: 'string', default: 'read' },
  },
})

/** What was measured on one database. */
interface Size {
  readonly name: string
  readonly first: FirstAnswer
  readonly figures: readonly Figures[]
  readonly bytes: ReadonlyMap<string, number>
}

const loaded = await samplesOf(flags.samples)
const bench = { client: await startClient(), bare: await startBare(), effort: { ...QUICK, warmUp: 400, rounds: 2 } }
const sizes: Size[] = []
for (const positional of positionals) {
  const [name = '', url = ''] = positional.split(/=(.*)/)
  sizes.push(await measured(name, url))
  await writeFile(flags.out, page())
}
await bench.client.stop()
await bench.bare.child.stop()

async function measured(name: string, database: string): Promise<Size> {
  const bytes = await bytesOf(database)
  const total = await articlesOf(database)
  const samples = { ...loaded, total }
  const served = { database, uploads: flags.uploads, site: join(HERE, 'bench/sizes/sizes-site.ts') }
  const first = await firstAnswerOf(served, `/api/v1/article/${samples.articles[0]?.id}`)
  const subject = { name: 'this', service: await startCommand(served), samples, sent: 0 }
  const figures: Figures[] = []
  const wanted = flags.rows.split(',')
  const isMeasured = ({ kind, name }: Row) => kind === flags.kind && wanted.some((part) => name.includes(part))
  for (const row of rows.filter(isMeasured)) {
    const { changes: _, ...alone } = row
    figures.push(...(await measureRow(bench, alone, [subject])))
    console.error(`  ${name}: ${row.name}, ${figures.at(-1)?.cpu.toFixed(0)} µs`)
  }
  await subject.service.child.stop()
  return { name, first, figures, bytes }
}

async function asked(database: string, text: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: database })
  await client.connect()
  return (await client.query(text).finally(() => client.end())).rows
}

async function articlesOf(database: string): Promise<number> {
  const text = `select count(*) from documents where type = 'article' and locale = 'en' and mode = 'published'`
  return Number((await asked(database, text))[0]?.count)
}

/** The bytes of each table, without its indexes, and of each index. */
async function bytesOf(database: string): Promise<Map<string, number>> {
  const found = await asked(
    database,
    `select relname as name, case relkind when 'r' then pg_table_size(oid) else pg_relation_size(oid) end as bytes
     from pg_class where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace order by 2 desc limit 30`,
  )
  return new Map(found.map(({ name = '', bytes }) => [name, Number(bytes)]))
}

function page(): string {
  const names = sizes.map(({ name }) => name)
  const rowsMeasured = sizes[0]?.figures.map(({ row }) => row) ?? []
  const cpu = rowsMeasured.map((row) => {
    const found = sizes.map(({ figures }) => figures.find((one) => one.row === row)?.cpu ?? Number.NaN)
    return [
      row,
      ...found.map((one) => Math.round(one).toLocaleString('en')),
      ((found.at(-1) ?? 0) / (found[0] ?? 1)).toFixed(2),
    ]
  })
  const last = sizes.at(-1)?.bytes ?? new Map<string, number>()
  const bytes = [...last.keys()].map((table) => [
    table,
    ...sizes.map(({ bytes }) => ((bytes.get(table) ?? 0) / 1e6).toFixed(0)),
  ])
  const starts = sizes.map(({ name, first }) => [
    name,
    first.cpu.toFixed(0),
    first.milliseconds.toFixed(0),
    (first.rss / 1e6).toFixed(0),
  ])
  return `# Sizes, on PostgreSQL

Written by \`bench/sizes.ts\`. Twenty types in three locales; each document is a draft and a published copy of about 1 KB.
One in twenty is a page, four in ten are articles in English, which the lists are of.
Other work ran on the machine meanwhile: processor time of the service counts, times by the clock say little.

## Processor time of the service for each request, in microseconds

${markdownTable(['', ...names, 'last by first'], cpu)}

## From the start to the first answer

${markdownTable(['documents', 'processor ms', 'ms', 'MB at rest'], starts)}

## Tables and indexes, in MB

${markdownTable(['', ...names], bytes)}
`
}
