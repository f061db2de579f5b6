import { rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../cms/test/postgres-server.ts'
import { temporaryFolder } from '../cms/test/temporary-folder.ts'
import { startCommand } from './command.ts'
import type { Server } from './measure.ts'
import { startBare, startClient } from './start.ts'
import { type Bench, QUICK } from './steady.ts'
import type { Subject } from './subject.ts'

// Shared by the smaller benchmarks: each fills databases of its own and writes one table into a file of its own.

/** The options that all of them take on the command line. */
export const TABLE_FLAGS = {
  databases: { type: 'string', default: 'sqlite,postgres' },
  out: { type: 'string' },
} as const

/** Cells of a row; numbers are shown with three digits. */
type Cells = readonly (string | number)[]

/** A database that is filled and measured, and its table. */
export interface EmptyDatabase {
  readonly database: string
  readonly url: string
  readonly uploads: string
  /** One of the benchmark's sizes. */
  readonly size: number
  /** Adds a row to the table. */
  add(cells: Cells): void
}

/** A benchmark whose results are a table. */
export interface TableBenchmark {
  /** `delivery` of `delivery.ts`, which writes `results-delivery.md`. */
  readonly name: string
  readonly title: string
  /** The columns, those on the left and those of numbers. */
  readonly columns: readonly [readonly string[], readonly string[]]
  readonly flags: { readonly databases: string; readonly out?: string | undefined }
  /** Only a whole run is written to the file, unless `out` names another. */
  readonly isWhole: boolean
  /** Each is measured on a database of its own. */
  readonly sizes?: readonly number[]
  measure(on: EmptyDatabase): Promise<void>
  /** The text above the table; made at the end. */
  explanation(): string
}

/** Runs a benchmark on the databases asked for, and writes its report, or prints its table. */
export async function runTable(benchmark: TableBenchmark): Promise<void> {
  const { columns, flags, sizes = [0], measure } = benchmark
  const started = new Date()
  const [texts, numbers] = columns
  const lines = [
    rowText([...texts, ...numbers]),
    `|${texts.map(() => '---|').join('')}${numbers.map(() => '--:|').join('')}`,
  ]
  const add = (cells: Cells) => {
    const line = rowText(cells.map((cell) => (typeof cell === 'number' ? String(Number(cell.toPrecision(3))) : cell)))
    lines.push(line)
    console.error(line)
  }
  for (const database of flags.databases.split(',')) {
    const onEmpty = database === 'sqlite' ? onFile : onServer
    for (const size of sizes) await onEmpty((on) => measure({ ...on, database, size, add }))
  }
  const isWhole = benchmark.isWhole && flags.databases === TABLE_FLAGS.databases.default
  const own = fileURLToPath(new URL(`results-${benchmark.name}.md`, import.meta.url))
  const out = flags.out ?? (isWhole ? own : null)
  if (out === null) console.log(`${benchmark.explanation()}\n\n${lines.join('\n')}`)
  else await writeFile(out, report(benchmark, started, lines))
}

function rowText(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function report({ name, title, explanation }: TableBenchmark, started: Date, lines: readonly string[]): string {
  const minutes = ((Date.now() - started.getTime()) / 60_000).toFixed(0)
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown processor'}), Node.js ${process.versions.node}`
  return `# ${title}

Made by \`node bench/${name}.ts\` on ${started.toISOString().slice(0, 10)} in ${minutes} minutes: ${machine}.

${explanation()}

${lines.join('\n')}
`
}

type Work = (on: Pick<EmptyDatabase, 'url' | 'uploads'>) => Promise<void>

async function onFile(work: Work): Promise<void> {
  const folder = await temporaryFolder('quire-bench')
  const on = { url: `sqlite:${join(folder, 'bench.db')}`, uploads: join(folder, 'uploads') }
  await work(on).finally(() => rm(folder, { recursive: true, force: true }))
}

async function onServer(work: Work): Promise<void> {
  const server = await startPostgres()
  const folder = await temporaryFolder('quire-bench')
  await work({ url: server.url, uploads: join(folder, 'uploads') }).finally(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })
}

/** Starts the client and bare node:http for some work, and stops them after it. */
export async function withBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const client = await startClient()
  const bare = await startBare()
  await work({ client, bare, effort: QUICK }).finally(() => Promise.all([client.stop(), bare.child.stop()]))
}

/** Starts the service for some work, and stops it after it. */
export async function withService<T>(
  { url, uploads }: Pick<EmptyDatabase, 'url' | 'uploads'>,
  cacheMegabytes: number | undefined,
  work: (service: Server) => Promise<T>,
): Promise<T> {
  const service = await startCommand({ database: url, uploads, cacheMegabytes })
  return work(service).finally(() => service.child.stop())
}

/** Starts the service twice, with its cache and without, for some work with both. */
export function withAndWithoutCache<Content>(
  on: Pick<EmptyDatabase, 'url' | 'uploads'>,
  samples: Content,
  work: (cached: Subject<Content>, uncached: Subject<Content>) => Promise<void>,
): Promise<void> {
  return withService(on, undefined, (cached) =>
    withService(on, 0, (uncached) =>
      work(
        { name: 'cached', service: cached, samples, sent: 0 },
        { name: 'uncached', service: uncached, samples, sent: 0 },
      ),
    ),
  )
}
