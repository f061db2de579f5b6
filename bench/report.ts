import type { FirstAnswer } from './command.ts'
import { rows, WRITES_A_SECOND } from './rows.ts'
import type { Loading } from './samples.ts'
import type { Figures } from './steady.ts'

const LARGE = 100_000
const NEAR = 1.25

/** The figures of a run as a table. */
export function figuresTable(figures: readonly Figures[], size: number): string {
  const [first] = figures
  const others = [...new Set(figures.map(({ subject }) => subject))].slice(1)
  const head = [
    'Row',
    'CPU µs',
    ...others.map((_, index) => (index === 0 ? 'against' : `against ${index + 1}`)),
    ...others.map(() => 'ratio'),
  ]
  const more = ['after a write', '/s', 'p50 ms', 'p99 ms', '× bare', 'hits', 'MB', 'warm-up', 'target', '']
  const lines = figures
    .filter(({ subject }) => subject === first?.subject)
    .map((own) => {
      const beside = figures.filter(({ row, subject }) => row === own.row && subject !== own.subject)
      return [
        own.row,
        micro(own.cpu),
        ...beside.map(({ cpu }) => micro(cpu)),
        ...beside.map(({ cpu }) => (own.cpu / cpu).toFixed(2)),
        own.afterWrite === null
          ? ''
          : [own, ...beside].map(({ afterWrite }) => micro(afterWrite ?? Number.NaN)).join(' : '),
        own.perSecond.toFixed(0),
        own.p50.toFixed(2),
        own.p99.toFixed(2),
        (own.cpu / own.bare).toFixed(1),
        own.hits === null ? '' : `${(100 * own.hits).toFixed(0)} %`,
        (own.rss / 1e6).toFixed(0),
        String(own.warmUp),
        ...target(own, figures, size),
      ]
    })
  return table([...head, ...more], lines)
}

/** What was loaded, and how the command starts. */
export function summary(root: string, size: number, loading: Loading, first: FirstAnswer): string {
  const bytes =
    loading.bytesEach === null ? '' : `, ${(loading.bytesEach / 1000).toFixed(1)} KB each in the database file`
  return `${root}: ${size.toLocaleString('en')} articles, loaded in ${loading.seconds.toFixed(1)} s (with search ${loading.indexedSeconds.toFixed(1)} s, on ${loading.at})${bytes}.
First answer ${first.milliseconds.toFixed(0)} ms after the command began, ${first.cpu.toFixed(0)} ms of CPU; ${(first.rss / 1e6).toFixed(0)} MB at rest.`
}

function target(own: Figures, figures: readonly Figures[], size: number): [string, string] {
  const row = rows.find(({ name }) => name === own.row)
  const limit = row?.target?.[size < LARGE ? 0 : 1]
  const near = figures.find(({ row: name, subject }) => name === row?.near && subject === own.subject)
  const wanted = WRITES_A_SECOND[own.row]
  const checks = [
    ...(limit === undefined ? [] : [{ text: `≤ ${micro(limit)}`, isMet: own.cpu <= limit }]),
    ...(near === undefined
      ? []
      : [{ text: `≤ ${micro(near.cpu * NEAR)}`, isMet: Math.max(own.cpu, own.afterWrite ?? 0) <= near.cpu * NEAR }]),
    ...(wanted === undefined ? [] : [{ text: `≥ ${wanted}/s`, isMet: own.perSecond >= wanted }]),
  ]
  return [checks.map(({ text }) => text).join(', '), checks.map(({ isMet }) => (isMet ? 'yes' : 'no')).join(', ')]
}

function micro(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en')
}

/** A table of Markdown that can be read as it is, too. */
function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(head), rule, ...lines.map(line)].join('\n')
}
