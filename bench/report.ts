import { availableParallelism, cpus, totalmem } from 'node:os'
import { ACCESS_TARGET, type AccessCost } from './access.ts'
import type { Result } from './measure.ts'
import { type Row, rows } from './rows.ts'

/** Everything that was measured on one database of one size. */
export interface Section {
  readonly database: 'sqlite' | 'postgres'
  readonly size: number
  /** Seconds, with the search index. */
  readonly load: number
  readonly coldStart: number
  readonly rssAtRest: number
  /** Milliseconds of the first search after all writes, which brings the index up to date. */
  readonly searchAfterWrites: number | null
  readonly results: readonly Result[]
  readonly access: readonly AccessCost[]
}

export interface Run {
  readonly started: Date
  readonly minutes: number
  readonly seconds: number
  readonly connections: number
  readonly sections: readonly Section[]
}

const COLD_START_TARGET = 500
const SIZE_TARGET = 0.75

const PEERS = `Figures of others, measured on the same kind of machine with 5,000 articles, in requests per second (quoted, not measured in this run):

| | Strapi | Payload | Directus |
|---|---|---|---|
| one by id | 411 | 347 | 189 |
| list of 10 | 27 | 22 | 137 |
| list of 10, page 300 | 12 | 14 | 105 |
| create | 55 | 34 | 119 |

Search 60–80, patch 50–58, cold start 1.2 s and more, 150–270 MB at rest, 720–880 MB of \`node_modules\`.`

/** The results as a page of Markdown. */
export function report(run: Run): string {
  return `${[heading(run), ...run.sections.map((section) => sectionText(run, section)), `## Others\n\n${PEERS}`].join('\n\n')}\n`
}

function heading(run: Run): string {
  const model = cpus()[0]?.model ?? 'unknown processor'
  return `# Benchmarks

Made by \`npm run bench\` on ${run.started.toISOString().slice(0, 10)} in ${run.minutes.toFixed(0)} minutes: ${availableParallelism()} cores (${model}), ${gigabytes(totalmem())} GB, Node.js ${process.versions.node}.

Articles of 3 to 5 KB: three rich text widgets, two topics. The service, the client (autocannon, ${run.connections} connections, ${run.seconds} s a row) and
bare node:http are processes of their own. Where a row allows, it goes round 2,000 distinct URLs (1,000 where an answer is 40 KB: they are to fit into the cache of 64 MB); writes are each sent once. *Bare* is what bare
node:http does with the same client, answering the very bytes that the service answered, from memory. *CPU* is processor time of the server's process
for each request; with PostgreSQL its own processes come on top. *Of bare* is given by requests and by processor time: with long answers the client
is slower than bare node:http, which flatters the first; targets go by the smaller one, and those that compare two rows by processor time. Reads with the cache on have all been asked once before; those without run with \`cacheBytes: 0\`. Targets are for SQLite; times are in milliseconds. Memory is what is resident: of a database file up to 1 GB is mapped, and counts. Nothing here is a test: machines differ.`
}

function sectionText(run: Run, section: Section): string {
  const name = section.database === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const lines = section.results.map((result) => resultLine(run, section, result))
  const cold = `Cold start to the first answer: ${section.coldStart.toFixed(0)} ms (median of 5)${section.database === 'sqlite' ? `, target under ${COLD_START_TARGET} ms: ${verdict(section.coldStart < COLD_START_TARGET)}` : ''}.`
  const rss = Math.max(0, ...section.results.map((result) => result.rss))
  const searched =
    section.searchAfterWrites === null
      ? ''
      : ` The first search after all these writes, which indexes them, took ${section.searchAfterWrites.toFixed(0)} ms.`
  return `## ${name}, ${section.size.toLocaleString('en')} articles

| Request | Caller | Cache | Requests/s | p50 | p99 | CPU µs | Bare/s | Bare CPU µs | Of bare, requests | Of bare, CPU | Target | Reached |
|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|---|
${lines.join('\n')}

${cold} Memory at rest ${megabytes(section.rssAtRest)} MB, under load at most ${megabytes(rss)} MB. Loaded in ${section.load.toFixed(0)} s.${searched}${accessText(section)}`
}

/** What authenticated callers cost more than anonymous callers, as a table of its own. */
function accessText({ access }: Section): string {
  if (access.length === 0) return ''
  const lines = access.map(({ request, caller, anonymous, known, ratio }) => {
    const cells = [request, caller, anonymous.toFixed(0), known.toFixed(0), ratio.toFixed(2)]
    return `| ${[...cells, `≤ ${ACCESS_TARGET}`, verdict(ratio <= ACCESS_TARGET)].join(' | ')} |`
  })
  return `

The cost of authentication, interleaved with the cache off; keys and sessions are those of the database. Editors get more fields than anonymous callers.

| Request | Caller | Anonymous, CPU µs | Known, CPU µs | Times | Target | Reached |
|---|---|--:|--:|--:|---|---|
${lines.join('\n')}`
}

function resultLine(run: Run, section: Section, result: Result): string {
  const { ours, bare } = result
  const row = rows.find((one) => one.name === result.row)
  const failures = ours.failures > 0 ? ` (${ours.failures} failed)` : ''
  const cells = [
    result.row,
    result.caller,
    row?.kind === 'write' ? '–' : result.cache ? 'on' : 'off',
    `${ours.perSecond.toFixed(0)}${failures}`,
    ours.p50.toFixed(2),
    ours.p99.toFixed(2),
    ours.cpu.toFixed(0),
    bare.perSecond.toFixed(0),
    bare.cpu.toFixed(0),
    (ours.perSecond / bare.perSecond).toFixed(2),
    (bare.cpu / ours.cpu).toFixed(2),
    ...targetCells(run, section, result, row),
  ]
  return `| ${cells.join(' | ')} |`
}

/** What was wanted of a row, and whether it is so: the row's own target, and reads of large databases against small. */
function targetCells(run: Run, section: Section, result: Result, row: Row | undefined): [string, string] {
  if (section.database !== 'sqlite') return ['', '']
  const checks: { text: string; reached: boolean }[] = []
  const target = row?.target
  if (target && 'ofBare' in target) {
    checks.push({
      text: `≥ ${target.ofBare} of bare`,
      reached:
        Math.min(result.ours.perSecond / result.bare.perSecond, result.bare.cpu / result.ours.cpu) >= target.ofBare,
    })
  }
  if (target && 'perSecond' in target) {
    checks.push({ text: `≥ ${target.perSecond}/s`, reached: result.ours.perSecond >= target.perSecond })
  }
  const other = target && 'ofRow' in target ? same(section, result, target.ofRow) : undefined
  if (target && 'ofRow' in target && other) {
    checks.push({
      text: `≥ ${target.part} of ${target.ofRow}`,
      reached: other.ours.cpu / result.ours.cpu >= target.part,
    })
  }
  const small = smallest(run, section)
  const smaller = small && row?.kind === 'read' ? same(small, result, result.row) : undefined
  if (small && smaller) {
    checks.push({
      text: `≥ ${SIZE_TARGET} of ${small.size.toLocaleString('en')} articles`,
      reached: smaller.ours.cpu / result.ours.cpu >= SIZE_TARGET,
    })
  }
  return [checks.map((check) => check.text).join('; '), checks.map((check) => verdict(check.reached)).join('; ')]
}

function same(section: Section, result: Result, row: string): Result | undefined {
  return section.results.find((one) => one.row === row && one.caller === result.caller && one.cache === result.cache)
}

function smallest(run: Run, section: Section): Section | undefined {
  const others = run.sections.filter((one) => one.database === section.database && one.size < section.size)
  return others.toSorted((a, b) => a.size - b.size)[0]
}

function verdict(reached: boolean): string {
  return reached ? 'yes' : '**no**'
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(0)
}
