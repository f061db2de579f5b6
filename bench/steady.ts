import type { Child, JobRequest } from './children.ts'
import { KEY } from './command.ts'
import { type MeasuredServer, measureServer, type Server } from './measure.ts'
import type { Seen } from './probe.ts'
import type { Row } from './rows.ts'
import type { Samples } from './samples.ts'
import { patches, posts } from './writes.ts'

/** A service that is measured. */
export interface Subject {
  readonly name: string
  readonly service: Server
  readonly samples: Samples
  /** How many writes were sent to it: each differs from all before. */
  written: number
}

/** What is spent on a row. */
export interface Effort {
  readonly warmUp: number
  /** Microseconds of the service's processor time. */
  readonly warmUpTime: number
  readonly roundTime: number
  /** Reads directly after a write. */
  readonly pairs: number
  readonly pairsTime: number
}

export const QUICK: Effort = { warmUp: 5000, warmUpTime: 2.5e6, roundTime: 0.25e6, pairs: 60, pairsTime: 1e6 }
export const WHOLE: Effort = { warmUp: 5000, warmUpTime: 10e6, roundTime: 0.8e6, pairs: 300, pairsTime: 5e6 }

/** Who measures. */
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
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Processor time of bare node:http, which answers the same bytes. */
  readonly bare: number
  /** Bytes of memory, at most after a round. */
  readonly rss: number
  /** Answers from the cache, of all. */
  readonly hits: number | null
  /** Processor time directly after a PATCH or a POST, whichever costs more. */
  readonly afterWrite: number | null
}

export const ROUNDS = 3
const CONNECTIONS = 16
/** Whole trees are long: few ask for them at a time. */
const SLOW = 20_000
const SLOW_CONNECTIONS = 2
const STEP = 250
const FEWEST_PAIRS = 6
/** A hit rate needs more requests. */
const MIXED_TIMES = 4
const MOST_A_ROUND = 5000
const BARE_REQUESTS = 2000
const BARE_MEGABYTES = 40
const LEARNED = 20
const WRITE_HEADERS = { authorization: `ApiKey ${KEY}`, 'content-type': 'application/json' }

/** Measures a row on all subjects and on bare node:http, one after the other in each round. */
export async function measureRow(bench: Bench, row: Row, subjects: readonly Subject[]): Promise<Figures[]> {
  const warm: { subject: Subject; amount: number; connections: number; warmUp: number }[] = []
  for (const subject of subjects) warm.push({ subject, ...(await warmUp(bench, row, subject)) })
  const first = subjects[0]
  if (first === undefined) return []
  const asked = await teachBare(bench, row, first)
  const bares: MeasuredServer[] = []
  const rounds = new Map<Subject, Round[]>(subjects.map((subject) => [subject, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    bares.push(await bareRound(bench, asked))
    const order = round % 2 === 0 ? warm : warm.toReversed()
    for (const { subject, amount, connections } of order) {
      rounds.get(subject)?.push(await oneRound(bench, row, subject, amount, connections))
    }
  }
  const figures: Figures[] = []
  for (const { subject, warmUp } of warm) {
    const all = rounds.get(subject) ?? []
    const of = (figure: (round: Round) => number) => median(all.map(figure))
    figures.push({
      row: row.name,
      subject: subject.name,
      warmUp,
      cpu: of(({ cpu }) => cpu),
      perSecond: of(({ perSecond }) => perSecond),
      p50: of(({ p50 }) => p50),
      p99: of(({ p99 }) => p99),
      bare: median(bares.map(({ cpu }) => cpu)),
      rss: Math.max(...all.map(({ rss }) => rss)),
      hits: hitRate(all),
      afterWrite:
        row.kind === 'read'
          ? await afterWrites(
              bench,
              row,
              subject,
              of(({ cpu }) => cpu),
            )
          : null,
    })
  }
  return figures
}

interface Round extends MeasuredServer {
  readonly rss: number
  readonly hits: number
  readonly misses: number
}

/** Sends requests until the service is warm, and finds out how many a round takes. */
async function warmUp(bench: Bench, row: Row, subject: Subject) {
  const { effort } = bench
  let sent = 0
  let spent = 0
  let cost = 0
  let connections = row.kind === 'read' ? 1 : CONNECTIONS
  let step = row.kind === 'read' ? 4 : STEP
  const times = row.kind === 'mixed' ? MIXED_TIMES : 1
  while (sent < effort.warmUp * times && spent < effort.warmUpTime * times) {
    const { cpu } = await oneRound(bench, row, subject, step, connections)
    cost = cpu
    sent += step
    spent += cpu * step
    step = cost > SLOW ? 4 : STEP
    connections = cost > SLOW ? SLOW_CONNECTIONS : CONNECTIONS
  }
  const amount = Math.min(MOST_A_ROUND, Math.max(6, Math.round((effort.roundTime * times) / cost)))
  return { amount, connections, warmUp: sent }
}

async function oneRound(
  { client }: Bench,
  row: Row,
  subject: Subject,
  amount: number,
  connections: number,
): Promise<Round> {
  const { service, samples } = subject
  const isRead = row.kind === 'read'
  const from = subject.written
  subject.written += amount
  if (row.prepare) await sendAll({ client, connections }, service, row.prepare(samples, amount, from))
  const requests = row.requests(samples, amount, from)
  await look(service)
  const measured = await measureServer({ client, connections }, service, {
    headers: {},
    writeHeaders: WRITE_HEADERS,
    requests,
    seconds: null,
    amount,
    from: isRead ? from : 0,
    isUnique: isRead,
  })
  if (measured.failures > 0) throw new Error(`${row.name}: ${measured.failures} failed. ${measured.failure}`)
  const { rss, hits, misses } = await look(service)
  return { ...measured, rss, hits, misses }
}

async function sendAll(
  measuring: { readonly client: Child; readonly connections: number },
  service: Server,
  requests: readonly JobRequest[],
): Promise<void> {
  const sent = await measureServer(measuring, service, { headers: WRITE_HEADERS, requests, seconds: null })
  if (sent.failures > 0) throw new Error(`${sent.failures} failed. ${sent.failure}`)
}

/** Reads and writes in turn on one connection: what the reads cost, as the process itself sees it. */
async function afterWrites({ client, effort }: Bench, row: Row, subject: Subject, cost: number): Promise<number> {
  const { service, samples } = subject
  const from = subject.written
  const pairs = Math.min(effort.pairs, Math.max(FEWEST_PAIRS, Math.round(effort.pairsTime / cost)))
  subject.written += pairs
  const reads = row.requests(samples, pairs, from)
  const changes = patches(samples, pairs, from)
  const additions = posts(samples, pairs, from)
  const requests = Array.from({ length: pairs }, (_, index) => [
    (index % 2 === 0 ? changes : additions)[index],
    reads[(from + index) % reads.length],
  ]).flatMap((pair) => pair.flatMap((request) => request ?? []))
  await look(service, true)
  const measuring = { client, connections: 1 }
  const sent = await measureServer(measuring, service, {
    headers: {},
    writeHeaders: WRITE_HEADERS,
    requests,
    seconds: null,
    isUnique: true,
  })
  if (sent.failures > 0) throw new Error(`${row.name}: ${sent.failures} failed. ${sent.failure}`)
  const { reads: seen } = await look(service)
  const after = (method: string) => median(seen.filter((read) => read.after === method).map(({ cpu }) => cpu))
  return Math.max(after('PATCH'), after('POST'))
}

/** Gives bare node:http some answers of the service, and says what is asked of it in a round. */
async function teachBare({ bare }: Bench, row: Row, { service, samples }: Subject): Promise<BareRound> {
  await bare.child.ask({ forget: true })
  const learn: { request: JobRequest; body: string }[] = []
  const first = row.requests(samples, LEARNED, 0).slice(0, LEARNED)
  for (const request of new Map(first.map((request) => [request.path, request])).values()) {
    const response = request.method === 'GET' ? await fetch(service.address + request.path) : null
    learn.push({ request, body: response === null ? '{}'.padEnd(4000) : await response.text() })
  }
  await bare.child.ask({ learn })
  const bytes = learn.reduce((sum, { body }) => sum + body.length, 0) / learn.length
  const amount = Math.max(20, Math.min(BARE_REQUESTS, Math.round((BARE_MEGABYTES * 1e6) / bytes)))
  return { amount, requests: learn.map(({ request }) => request) }
}

interface BareRound {
  readonly requests: readonly JobRequest[]
  readonly amount: number
}

function bareRound({ client, bare }: Bench, round: BareRound): Promise<MeasuredServer> {
  return measureServer({ client, connections: CONNECTIONS }, bare, { ...round, headers: {}, seconds: null })
}

/** What the probe has seen since the last look; `watch` says whether it is to watch requests from now on. */
async function look(service: Server, watch = false): Promise<Seen> {
  // `as`: probe.ts answers with this.
  return (await service.child.ask({ watch })) as Seen
}

function hitRate(rounds: readonly Round[]): number | null {
  const hits = rounds.reduce((sum, round) => sum + round.hits, 0)
  const all = hits + rounds.reduce((sum, round) => sum + round.misses, 0)
  return all === 0 ? null : hits / all
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
