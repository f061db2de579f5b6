import { availableParallelism, cpus, totalmem } from 'node:os'
import { LARGEST, rows, type TargetRow } from './rows.ts'
import { AGAINST, OFF, OWN, type Section } from './section.ts'
import { type Effort, effortFor, type Figures, SLOW } from './steady.ts'
import { markdownTable } from './table.ts'

/** A whole run. */
export interface Run {
  readonly started: Date
  readonly sections: readonly Section[]
  readonly effort: Effort
}

const LARGE = 100_000
const NEAR = 1.25
const GROWTH = 2
const REST_MEGABYTES = 115
const MEGABYTES = 400
const START_MS = 350
const LOAD_SECONDS = 60

const OTHERS = `## Others

Figures of others, measured on the same kind of machine with 5,000 articles, in requests per second (quoted, not measured in this run;
\`bench/peer.ts\` sets systems side by side):

| | Strapi | Payload | Directus |
|---|--:|--:|--:|
| one by id | 411 | 347 | 189 |
| list of 10 | 27 | 22 | 137 |
| list of 10, page 300 | 12 | 14 | 105 |
| create | 55 | 34 | 119 |

Search 60–80, patch 50–58, cold start 1.2 s and more, 150–270 MB at rest, 720–880 MB of \`node_modules\`.`

/** The results as a page of Markdown. */
export function resultsPage({ started, sections, effort }: Run): string {
  const minutes = ((Date.now() - started.getTime()) / 60_000).toFixed(0)
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown processor'}), ${(totalmem() / 1e9).toFixed(0)} GB, Node.js ${process.versions.node}`
  const parts = sections.map((section) => `## ${titleOf(section)}\n\n${sectionText(section)}${memoryText(section)}`)
  return `# Benchmarks

Made by \`npm run bench\` on ${started.toISOString().slice(0, 10)} in ${minutes} minutes: ${machine}.

${howMeasured(effort)}

${[...parts, ...growthText(sections), OTHERS].join('\n\n')}
`
}

function howMeasured(effort: Effort): string {
  const { rounds, warmUp, warmUpTime, roundTime } = effort
  const largest = `${effortFor(LARGEST, effort).warmUpTime / 1e6} s with ${LARGEST.toLocaleString('en')} articles`
  return `Articles of 3 to 5 KB: three rich text widgets, two topics and an image each, and a tree of 10,000 pages. The service is
started by its command. Each row is warmed up with ${warmUp.toLocaleString('en')} requests (four times as many where the cache answers), or for ${warmUpTime / 1e6} s (${largest}) where one costs more than ${SLOW / 1000} ms
(*warm-up* says how many), and measured in ${rounds} rounds of about ${roundTime / 1e6} s, of which the medians count; between them bare node:http answers the same bytes
from memory. 16 connections send requests without a pause, for the whole tree two.

*CPU µs* is processor time of the service's process for each request, all threads together; with PostgreSQL its own processes come on top.
Reads are misses: the answer cache is on, but each request has a URL that was never asked for (an ignored parameter makes it
distinct). *Off* is the same with \`QUIRE_CACHE_MB=0\`. *After a write* is the same
of one read directly after a PATCH or a POST of an article: what it costs more than the same read once more, on one connection (the higher
of both medians), is added. It was read before the write, too: what nobody has read for long is
not what the write made necessary. Page 300 and two orders are to be within a quarter of page 1: as misses, and after a write within a quarter of
what page 1 costs after a write. *Later* is what the process does in the
background afterwards, for each request: search finds what was written. *Mixed* reads 2,000 addresses at random (900 articles by
id, 900 by slug, 200 lists); each 20th request is a PATCH or a POST in turn; *hits* are the answers from the cache. *MB* is the resident
memory of the process after the row. Targets are for SQLite. Nothing here is a test: machines differ.`
}

/** A section with its title. */
export function titledText(section: Section): string {
  return `${titleOf(section)}\n\n${sectionText(section)}`
}

/** The figures of a section, with what it was measured on. */
function sectionText(section: Section): string {
  return `${loadText(section)}\n${startText(section)}\n\n${figuresTable(section)}`
}

function titleOf({ kind, size }: Section): string {
  return `${kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, ${size.toLocaleString('en')} articles`
}

function loadText({ loading, size }: Section): string {
  const { seconds, indexedSeconds, bytesEach } = loading
  const target = size === LARGE ? ` (target ${LOAD_SECONDS} s)` : ''
  const bytes = bytesEach === null ? '' : `; ${(bytesEach / 1000).toFixed(1)} KB each in the database file`
  return `Loaded in ${seconds.toFixed(1)} s${target}, with search in ${indexedSeconds.toFixed(1)} s${bytes}.`
}

function startText({ first }: Section): string {
  const { milliseconds, cpu, rss } = first
  return `First answer ${milliseconds.toFixed(0)} ms after the command begins (target ${START_MS}), with ${cpu.toFixed(0)} ms of CPU; ${megabytes(rss)} MB at rest (target ${REST_MEGABYTES}).`
}

function memoryText({ figures }: Section): string {
  const most = Math.max(0, ...figures.filter(({ subject }) => subject === OWN).map(({ rss }) => rss))
  return `\n\nResident memory at most ${megabytes(most)} MB (target ${MEGABYTES}).`
}

function figuresTable(section: Section): string {
  const { figures } = section
  const own = figures.filter(({ subject }) => subject === OWN)
  const of = (row: string, subject: string) => figures.find((one) => one.row === row && one.subject === subject)
  const has = (subject: string) => figures.some((one) => one.subject === subject)
  const columns: Column[] = [
    ['Row', ({ row }) => row],
    ['CPU µs', ({ cpu }) => micro(cpu)],
    ['target', (own) => checksText(section, own, ({ text }) => text)],
    ['', (own) => checksText(section, own, ({ isMet }) => (isMet ? 'yes' : '**no**'))],
    ['later', ({ later }) => micro(later)],
    ['after a write', ({ afterWrite }) => micro(afterWrite)],
    ...(has(AGAINST) ? againstColumns((row) => of(row, AGAINST)) : []),
    ...(has(OFF) ? ([['off', ({ row }) => micro(of(row, OFF)?.cpu ?? null)]] satisfies Column[]) : []),
    ['bare µs', ({ bare }) => micro(bare)],
    ['× bare', ({ cpu, bare }) => (cpu / bare).toFixed(1)],
    ['/s', ({ perSecond }) => perSecond.toFixed(0)],
    ['p50 ms', ({ p50 }) => p50.toFixed(2)],
    ['p99 ms', ({ p99 }) => p99.toFixed(2)],
    ['hits', ({ hits }) => (hits === null ? '' : `${(100 * hits).toFixed(0)} %`)],
    ['MB', ({ rss }) => megabytes(rss)],
    ['warm-up', ({ warmUp }) => String(warmUp)],
  ]
  return markdownTable(
    columns.map(([head]) => head),
    own.map((figures) => columns.map(([, cell]) => cell(figures))),
  )
}

type Column = readonly [head: string, cell: (own: Figures) => string]

function againstColumns(other: (row: string) => Figures | undefined): Column[] {
  return [
    ['against', ({ row }) => micro(other(row)?.cpu ?? null)],
    ['this by it', ({ row }) => other(row)?.ofFirst.toFixed(2) ?? ''],
    ['its after a write', ({ row }) => micro(other(row)?.afterWrite ?? null)],
  ]
}

interface Check {
  readonly text: string
  readonly isMet: boolean
}

function checksText(section: Section, own: Figures, textOf: (check: Check) => string): string {
  return checksOf(section, own).map(textOf).join(', ')
}

/** The target of a row, and whether it is reached. */
function checksOf({ kind, size, figures }: Section, own: Figures): Check[] {
  const row = rows.find(({ name }) => name === own.row)
  if (row === undefined || kind !== 'sqlite') return []
  const limits = [limitOf(row, size), nearLimit(row, figures, ({ cpu }) => cpu)].filter((limit) => limit !== null)
  const limitAfterWrite = nearLimit(row, figures, ({ afterWrite }) => afterWrite)
  return [
    ...limits.map((limit) => ({
      text: `≤ ${micro(limit)}`,
      isMet: own.cpu + (row.kind === 'mixed' ? (own.later ?? 0) : 0) <= limit,
    })),
    ...(limitAfterWrite === null || own.afterWrite === null
      ? []
      : [{ text: `≤ ${micro(limitAfterWrite)} after a write`, isMet: own.afterWrite <= limitAfterWrite }]),
    ...(row.perSecond === undefined
      ? []
      : [{ text: `≥ ${row.perSecond.toLocaleString('en')}/s`, isMet: own.perSecond >= row.perSecond }]),
    ...(row.timesBare === undefined
      ? []
      : [{ text: `≤ ${row.timesBare} × bare`, isMet: own.cpu / own.bare <= row.timesBare }]),
    ...(row.hits === undefined ? [] : [{ text: `≥ ${100 * row.hits} % hits`, isMet: (own.hits ?? 0) >= row.hits }]),
  ]
}

function limitOf({ target }: TargetRow, size: number): number | null {
  return target?.[size < LARGE ? 0 : 1] ?? null
}

/** Of a figure, by the same figure of the row that this one is to be near. */
function nearLimit({ near }: TargetRow, figures: readonly Figures[], of: (row: Figures) => number | null) {
  const other = figures.find(({ row }) => row === near)
  const figure = other === undefined ? null : of(other)
  return figure === null ? null : figure * NEAR
}

/** How rows grow with the number of articles, on SQLite. */
function growthText(sections: readonly Section[]): string[] {
  const all = sections.filter(({ kind }) => kind === 'sqlite').toSorted((a, b) => a.size - b.size)
  const [smallest] = all
  if (smallest === undefined || all.length < 2) return []
  const cpuOf = ({ figures }: Section, name: string) => figures.find(({ row }) => row === name)?.cpu ?? Number.NaN
  const lines = rows
    .filter(({ isGrowing, name }) => isGrowing && smallest.figures.some(({ row }) => row === name))
    .map(({ name }) => {
      const times = all.slice(1).map((section) => cpuOf(section, name) / cpuOf(smallest, name))
      const last = times.at(-1) ?? Number.NaN
      return [
        name,
        ...all.map((section) => micro(cpuOf(section, name))),
        last.toFixed(2),
        last <= GROWTH ? 'yes' : '**no**',
      ]
    })
  const head = ['Row', ...all.map(({ size }) => size.toLocaleString('en')), 'largest by smallest', `≤ ${GROWTH}`]
  const note = all.at(-1)?.size === LARGEST ? '' : ` The target is for ${LARGEST.toLocaleString('en')} articles.`
  return [`## Growth\n\nCPU µs on SQLite.${note}\n\n${markdownTable(head, lines)}`]
}

function micro(value: number | null): string {
  return value === null ? '' : Number(value.toPrecision(3)).toLocaleString('en')
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
