import type { Child, Job, JobRequest, Measured, Usage } from './children.ts'

/** One row as measured: ours, and bare node:http with the same bytes right after it. */
export interface Result {
  readonly row: string
  readonly caller: 'anonymous' | 'key'
  readonly cache: boolean
  readonly ours: MeasuredServer
  readonly bare: MeasuredServer
  /** Bytes of memory the service held afterwards. */
  readonly rss: number
}

export interface MeasuredServer extends Measured {
  /** Processor time of the server's process for each request, in microseconds. */
  readonly cpu: number
}

export interface Server {
  readonly address: string
  readonly child: Child
}

export interface Measuring {
  readonly client: Child
  readonly bare: Server
  readonly connections: number
  /** Null: each request once. */
  readonly seconds: number | null
}

/** How many requests warm the service up; bare node:http answers what they were answered. */
export const WARM_UP = 200

/**
 * Measures one set of requests at the service, and its first ones at bare node:http. Reads that may be
 * answered from memory are all asked once before.
 */
export async function measure(
  measuring: Measuring,
  service: Server,
  asked: {
    readonly requests: readonly JobRequest[]
    readonly isRead: boolean
    readonly isCached: boolean
    readonly key: string | null
    /** Headers of all requests beside the credential. */
    readonly headers?: Readonly<Record<string, string>>
    /** What counts as success where it is not 2xx. */
    readonly status?: number
  },
): Promise<{ ours: MeasuredServer; bare: MeasuredServer; rss: number }> {
  const headers: Record<string, string> = {
    ...(asked.key === null ? {} : { authorization: `ApiKey ${asked.key}` }),
    ...(asked.isRead ? {} : { 'content-type': 'application/json' }),
    ...asked.headers,
  }
  const { status } = asked
  const first = asked.requests.slice(0, WARM_UP)
  const learn = await answersTo(service.address, asked.isRead ? distinct(first) : first, { headers, status })
  if (asked.isRead && asked.isCached) {
    await measureServer(measuring, service, { headers, requests: asked.requests, seconds: null, status })
  }
  const rest = asked.isRead ? asked.requests : asked.requests.slice(WARM_UP)
  const seconds = asked.isRead ? measuring.seconds : null
  const ours = await measureServer(measuring, service, { headers, requests: rest, seconds, status })
  const { rss } = await usage(service)
  await measuring.bare.child.ask({ forget: true })
  await measuring.bare.child.ask({ learn })
  const bare = await measureServer(measuring, measuring.bare, { headers, requests: first, seconds: measuring.seconds })
  return { ours, bare, rss }
}

/** Sends the requests of a job to a server, and says what they cost it. */
export async function measureServer(
  { client, connections }: Pick<Measuring, 'client' | 'connections'>,
  server: Server,
  job: Omit<Job, 'url' | 'connections'>,
): Promise<MeasuredServer> {
  const before = await usage(server)
  // `as`: client.ts answers jobs with this.
  const measured = (await client.ask({ ...job, url: server.address, connections } satisfies Job)) as Measured
  const after = await usage(server)
  return { ...measured, cpu: (after.cpu - before.cpu) / Math.max(1, measured.requests) }
}

/** Each path once: long answers are not to be carried to and fro. */
function distinct(requests: readonly JobRequest[]): JobRequest[] {
  return [...new Map(requests.map((request) => [request.path, request])).values()]
}

/** What a server process has used so far. */
export async function usage(server: Server): Promise<Usage> {
  // `as`: service.ts and bare.ts answer every message with this.
  return (await server.child.ask({})) as Usage
}

async function answersTo(
  address: string,
  requests: readonly JobRequest[],
  { headers, status = 200 }: { headers: Readonly<Record<string, string>>; status: number | undefined },
) {
  const answers: { request: JobRequest; body: string }[] = []
  for (const request of requests) {
    const { method, path, body } = request
    const response = await fetch(`${address}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
    const text = await response.text()
    if (response.status !== status)
      throw new Error(`${method} ${path} answers ${response.status}: ${text.slice(0, 300)}`)
    answers.push({ request, body: text })
  }
  return answers
}
