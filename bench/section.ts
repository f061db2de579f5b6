import { type FirstAnswer, firstAnswerOf, HERE, startCommand } from './command.ts'
import { ensureLoaded, type Kind, type Loaded, openLoaded } from './databases.ts'
import type { Row } from './row.ts'
import { LARGEST } from './rows.ts'
import type { Loading } from './samples.ts'
import { type Bench, type Figures, measureRow, median } from './steady.ts'
import type { Subject } from './subject.ts'

/** All figures on one database of one size. */
export interface Section {
  readonly kind: Kind
  readonly size: number
  readonly loading: Loading
  readonly first: FirstAnswer
  readonly figures: readonly Figures[]
}

/** The rows that are measured on a database, and how. */
export interface SectionPlan {
  readonly rows: readonly Row[]
  readonly kind: Kind
  readonly size: number
  /** Measures the service with a cache of no bytes, too. */
  readonly isOffToo: boolean
  /** The folder of another checkout, whose service is measured, too. */
  readonly against: string | null
  readonly cacheMegabytes: number | undefined
  readonly isFresh: boolean
  /** How often the first answer is measured. */
  readonly starts: number
  readonly profile: string | undefined
}

/** Names of subjects: the service itself, and those that are compared with it. */
export const OWN = 'this'
export const OFF = 'cache off'
export const AGAINST = 'against'

/** Measures rows on a loaded database, each on all subjects. */
export async function measureSection(bench: Bench, plan: SectionPlan): Promise<Section> {
  const { kind, size, rows, against, cacheMegabytes, profile } = plan
  const services = [
    { name: OWN, root: HERE, cacheMegabytes },
    ...(plan.isOffToo && size < LARGEST ? [{ name: OFF, root: HERE, cacheMegabytes: 0 }] : []),
    ...(against === null ? [] : [{ name: AGAINST, root: against, cacheMegabytes }]),
  ]
  const folders = new Map<string, string>()
  for (const { root } of services) {
    if (!folders.has(root)) folders.set(root, await ensureLoaded({ root, kind, size }, plan.isFresh))
  }
  const opened: Loaded[] = []
  const subjects: Subject[] = []
  try {
    const starts: FirstAnswer[] = []
    for (const { name, root, cacheMegabytes } of services) {
      const loaded = await openLoaded(kind, folders.get(root) ?? '')
      opened.push(loaded)
      const { database, uploads, samples } = loaded
      const served = { root, database, uploads, cacheMegabytes, profile }
      const path = `/api/v1/article/${samples.articles[0]?.id}`
      while (subjects.length === 0 && starts.length < plan.starts) starts.push(await firstAnswerOf(served, path))
      subjects.push({ name, service: await startCommand(served), samples, sent: 0 })
    }
    const figures: Figures[] = []
    for (const row of rows) {
      const measured = row.kind === 'read' ? subjects : subjects.filter(({ name }) => name !== OFF)
      figures.push(...(await measureRow(bench, row, measured)))
      console.error(`  ${kind}, ${size}: ${row.name}, ${figures.at(-measured.length)?.cpu.toFixed(0)} µs`)
    }
    const [loaded] = opened
    if (loaded === undefined) throw new Error('Nothing was measured.')
    return { kind, size, loading: loaded.loading, first: medianStart(starts), figures }
  } finally {
    for (const { service } of subjects) await service.child.stop()
    for (const one of opened) await one.remove()
  }
}

function medianStart(starts: readonly FirstAnswer[]): FirstAnswer {
  const of = (figure: (start: FirstAnswer) => number) => median(starts.map(figure))
  return {
    milliseconds: of(({ milliseconds }) => milliseconds),
    cpu: of(({ cpu }) => cpu),
    rss: of(({ rss }) => rss),
  }
}
