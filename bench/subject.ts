import { setTimeout as pause } from 'node:timers/promises'
import type { Child, JobRequest, Usage } from './children.ts'
import { KEY } from './command.ts'
import { type MeasuredServer, measureServer, type Server, usage } from './measure.ts'
import type { Seen } from './probe.ts'
import type { Row } from './row.ts'
import type { Samples } from './samples.ts'

/** A service that is measured. */
export interface Subject<Content = Samples> {
  readonly name: string
  readonly service: Server
  readonly samples: Content
  /** How many requests were sent to it: each write differs from all before. */
  sent: number
}

/** One round of requests: what they cost, and what the service holds afterwards. */
export interface Round extends MeasuredServer, Usage {
  readonly hits: number
  readonly misses: number
  readonly cpu: number
}

/** Background work begins half a second after a write at the latest. */
const QUIET_MS = 600
const LOOK_MS = 50
/** The cost of a look at the probe for the service, and a little more. */
const QUIET_CPU = 4000
const WRITE_HEADERS = { authorization: `ApiKey ${KEY}`, 'content-type': 'application/json' }

/** Sends a round of the requests of a row. Throws when one of them is not answered with a 2xx. */
export async function oneRound<Content>(
  row: Row<Content>,
  subject: Subject<Content>,
  { amount, ...by }: { readonly client: Child; readonly connections: number; readonly amount: number },
): Promise<Round> {
  const { samples } = subject
  const from = subject.sent
  subject.sent += amount
  if (row.prepare) await send(row, subject, row.prepare(samples, amount, from), by)
  const isWrite = row.kind === 'write' || row.kind === 'mixed'
  const more = { amount, from: isWrite ? 0 : from, isUnique: row.kind === 'read' }
  return send(row, subject, row.requests(samples, amount, from), { ...by, more })
}

/** Sends reads and writes in turn on one connection: what each read cost, as the process itself sees it. */
export async function watchedReads<Content>(
  row: Row<Content>,
  subject: Subject<Content>,
  requests: readonly JobRequest[],
  client: Child,
) {
  const more = { isUnique: true, watch: true }
  const { reads } = await send(row, subject, requests, { client, connections: 1, more })
  return reads
}

async function send<Content>(
  row: Row<Content>,
  { service, samples }: Subject<Content>,
  requests: readonly JobRequest[],
  by: {
    readonly client: Child
    readonly connections: number
    readonly more?: { amount?: number; from?: number; isUnique?: boolean; watch?: boolean }
  },
) {
  const { watch = false, ...more } = by.more ?? {}
  if (requests.length === 0) throw new Error(`${row.name}: there is nothing to ask for.`)
  await look(service, watch)
  const headers = row.headers?.(samples) ?? {}
  const job = { headers, writeHeaders: WRITE_HEADERS, requests, seconds: null, status: row.status, ...more }
  const measured = await measureServer(by, service, job)
  if (measured.failures > 0) throw new Error(`${row.name}: ${measured.failures} failed. ${measured.failure}`)
  const { rss, hits, misses, reads } = await look(service, false)
  return { ...measured, rss, hits, misses, reads }
}

/** Waits until a service has nothing left to do; returns the processor time that it took, in microseconds. */
export async function untilIdle({ service }: Pick<Subject, 'service'>): Promise<number> {
  const began = (await usage(service)).cpu
  for (let last = began, quiet = 0; ; ) {
    await pause(LOOK_MS)
    const { cpu } = await usage(service)
    quiet = cpu - last < QUIET_CPU ? quiet + LOOK_MS : 0
    if (quiet >= QUIET_MS) return cpu - began
    last = cpu
  }
}

/** The measurements of the probe since the last look; `watch` says whether it is to watch requests from now on. */
async function look(service: Server, watch: boolean): Promise<Seen> {
  // `as`: probe.ts answers with this.
  return (await service.child.ask({ watch })) as Seen
}
