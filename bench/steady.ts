import type { Child, JobRequest } from './children.ts'
import { type MeasuredServer, measureServer, type Server } from './measure.ts'
import type { Row } from './row.ts'
import { LARGEST } from './rows.ts'
import { oneRound, type Round, type Subject, untilIdle, watchedReads } from './subject.ts'

/** The effort that is spent on a row; times are of the service's processor, in microseconds. */
export interface Effort {
  readonly rounds: number
  readonly warmUp: number
  /** Ends the warm-up of slow rows. */
  readonly warmUpTime: number
  readonly roundTime: number
  /** Writes that are followed by reads, and the time for these. */
  readonly turns: number
  readonly turnsTime: number
}

/** In two minutes. */
export const QUICK: Effort = {
  rounds: 3,
  warmUp: 5000,
  warmUpTime: 2e6,
  roundTime: 0.25e6,
  turns: 60,
  turnsTime: 1e6,
}
/** Of two services at the same time: more and shorter rounds, so that whatever else runs meets both alike. */
export const COMPARING: Effort = { ...QUICK, rounds: 9, warmUpTime: 4e6 }
/** For the record. */
export const WHOLE: Effort = {
  rounds: 3,
  warmUp: 5000,
  warmUpTime: 10e6,
  roundTime: 0.8e6,
  turns: 300,
  turnsTime: 5e6,
}

/** With a million articles, until all that is asked for was asked for once: the first search for a word takes long. */
export function effortFor(size: number, effort: Effort): Effort {
  return size < LARGEST ? effort : { ...effort, warmUpTime: 200e6 }
}

/** The processes of a measurement, and its effort. */
export interface Bench {
  readonly client: Child
  readonly bare: Server
  readonly effort: Effort
}

/** One row of one service, in medians of all rounds: processor time in microseconds, other times in milliseconds. */
export interface Figures {
  readonly row: string
  readonly subject: string
  /** Requests before the first round. */
  readonly warmUp: number
  readonly cpu: number
  /** Processor time in the background afterwards, such as for the search index; null where nothing was written. */
  readonly later: number | null
  /** By the same of the first subject, round by round. */
  readonly ofFirst: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Processor time of bare node:http, which answers the same bytes. */
  readonly bare: number
  /** Bytes of memory, at most after a round. */
  readonly rss: number
  /** Answers from the cache, of all; null where the cache was not asked. */
  readonly hits: number | null
  /** Processor time of a read directly after a PATCH or a POST, whichever costs more. */
  readonly afterWrite: number | null
}

const CONNECTIONS = 16
/** Whole trees are long: few ask for them at a time, and fewer times before they are measured. */
export const SLOW = 20_000
const SLOW_CONNECTIONS = 2
const STEP = 250
const FEWEST = 4
const MOST = 5000
/** A hit rate needs more requests, and the first answers of a cache are made for it. */
const CACHE_TIMES = 4
const BARE_REQUESTS = 2000
const BARE_BYTES = 40e6
const LEARNED = 20

type WatchedReads = Awaited<ReturnType<typeof watchedReads>>

/** A subject and its rounds of a row. */
interface Course<Content> {
  readonly subject: Subject<Content>
  readonly warmUp: number
  readonly connections: number
  /** Requests in each round. */
  readonly amount: number
  /** Writes that are followed by reads. */
  readonly turns: number
  readonly rounds: Round[]
  /** Processor time after each round, for each request of it. */
  readonly later: number[]
  readonly reads: WatchedReads[number][]
}

/** Measures a row on all subjects and on bare node:http, one after the other in each round. */
export async function measureRow<Content>(
  bench: Bench,
  row: Row<Content>,
  subjects: readonly Subject<Content>[],
): Promise<Figures[]> {
  const courses: Course<Content>[] = []
  for (const subject of subjects) courses.push(await warmedUp(bench, row, subject))
  const [first] = courses
  if (first === undefined) return []
  const askBare = await teachBare(bench, row, first.subject)
  const bares: MeasuredServer[] = []
  for (let round = 0; round < bench.effort.rounds; round += 1) {
    bares.push(await askBare())
    for (const course of round % 2 === 0 ? courses : courses.toReversed()) await continued(bench, row, course)
  }
  if (row.changes) for (const course of courses) await readAfterWrites(bench, row, course)
  const bare = median(bares.map(({ cpu }) => cpu))
  return courses.map((course) => ({ row: row.name, bare, ...figuresOf(course, first) }))
}

async function continued<Content>({ client }: Bench, row: Row<Content>, course: Course<Content>): Promise<void> {
  const { subject, amount, connections, rounds, later } = course
  rounds.push(await oneRound(row, subject, { client, connections, amount }))
  if (writes(row)) later.push((await untilIdle(subject)) / amount)
}

async function readAfterWrites<Content>({ client }: Bench, row: Row<Content>, course: Course<Content>): Promise<void> {
  const { subject, turns, reads } = course
  const all = await watchedReads(row, subject, turnsOf(row, subject, turns), client)
  reads.push(...all.filter((_, index) => index % READS_OF_TURN > 0))
  await untilIdle(subject)
}

function figuresOf<Content>(
  { subject, warmUp, rounds, later, reads }: Course<Content>,
  first: Course<Content>,
): Omit<Figures, 'row' | 'bare'> {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure))
  const after = (method: string) => median(reads.filter((read) => read.after === method).map(({ cpu }) => cpu))
  // One connection costs more for each request than many do: what counts is the difference to the second read.
  const added = Math.max(0, Math.max(after('PATCH'), after('POST')) - after('GET'))
  const hits = rounds.reduce((sum, round) => sum + round.hits, 0)
  const lookups = hits + rounds.reduce((sum, round) => sum + round.misses, 0)
  return {
    subject: subject.name,
    warmUp,
    cpu: of(({ cpu }) => cpu),
    later: later.length === 0 ? null : median(later),
    ofFirst: median(rounds.map(({ cpu }, round) => (first.rounds[round]?.cpu ?? Number.NaN) / cpu)),
    perSecond: of(({ perSecond }) => perSecond),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    rss: Math.max(...rounds.map(({ rss }) => rss)),
    hits: lookups === 0 ? null : hits / lookups,
    afterWrite: reads.length === 0 ? null : of(({ cpu }) => cpu) + added,
  }
}

/** Sends requests until the service is warm, and finds out how many a round takes. */
async function warmedUp<Content>(
  { client, effort }: Bench,
  row: Row<Content>,
  subject: Subject<Content>,
): Promise<Course<Content>> {
  const times = row.kind === 'mixed' || row.kind === 'cached' ? CACHE_TIMES : 1
  let warmUp = 0
  let spent = 0
  let cost = writes(row) ? 0 : SLOW
  const connections = () => (cost >= SLOW ? SLOW_CONNECTIONS : CONNECTIONS)
  while (warmUp < effort.warmUp * times && (cost < SLOW || spent < effort.warmUpTime)) {
    const amount = cost >= SLOW ? FEWEST : STEP
    cost = (await oneRound(row, subject, { client, connections: connections(), amount })).cpu
    warmUp += amount
    spent += amount * cost
  }
  if (writes(row)) await untilIdle(subject)
  const amount = clamp((effort.roundTime * times) / cost, MOST)
  const turns = clamp(effort.turnsTime / cost, effort.turns)
  return { subject, warmUp, connections: connections(), amount, turns, rounds: [], later: [], reads: [] }
}

/** Of one list, say: before a write, directly after it, and once more. */
const READS_OF_TURN = 3

/**
 * Writes, and the same read before each and twice after it: so the first of these shows what the write made necessary.
 */
function turnsOf<Content>(row: Row<Content>, subject: Subject<Content>, turns: number): JobRequest[] {
  const { samples, sent: from } = subject
  subject.sent += turns
  const reads = row.requests(samples, turns, from)
  const writes = row.changes?.(samples, turns, from) ?? []
  return writes.flatMap((write, index) => {
    const read = reads[(from + index) % reads.length]
    return read === undefined ? [] : [read, write, read, read]
  })
}

function writes({ kind }: Row<never>): boolean {
  return kind === 'write' || kind === 'mixed'
}

/** Gives bare node:http some answers of the service; what is returned asks it for them. */
async function teachBare<Content>({ client, bare }: Bench, row: Row<Content>, { service, samples }: Subject<Content>) {
  const learn: { request: JobRequest; body: string }[] = []
  const headers = row.headers?.(samples) ?? {}
  const first = row.requests(samples, LEARNED, 0).slice(0, LEARNED)
  for (const request of new Map(first.map((request) => [request.path, request])).values()) {
    const isRead = request.method === 'GET'
    const body = isRead ? await (await fetch(service.address + request.path, { headers })).text() : '{}'.padEnd(4000)
    learn.push({ request, body })
  }
  await bare.child.ask({ forget: true })
  await bare.child.ask({ learn })
  const requests = learn.map(({ request }) => request)
  const bytes = learn.reduce((sum, { body }) => sum + body.length, 0) / learn.length
  const amount = clamp(BARE_BYTES / bytes, BARE_REQUESTS)
  return () => measureServer({ client, connections: CONNECTIONS }, bare, { headers, requests, seconds: null, amount })
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(FEWEST, Math.round(value)))
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
