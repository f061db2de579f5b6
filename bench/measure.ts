import type { Child, Job, Measured, Usage } from './children.ts'

/** A server under measurement: the service, or bare node:http. */
export interface Server {
  readonly address: string
  readonly child: Child
}

/** The measurements of the client, and the costs of the server. */
export interface MeasuredServer extends Measured {
  /** Processor time of the server's process for each request, in microseconds. */
  readonly cpu: number
}

/** The process that sends requests, and the number of its connections. */
export interface Sender {
  readonly client: Child
  readonly connections: number
}

/** Sends the requests of a job to a server, and says what they cost it. */
export async function measureServer(
  { client, connections }: Sender,
  server: Server,
  job: Omit<Job, 'url' | 'connections'>,
): Promise<MeasuredServer> {
  const before = await usage(server)
  // `as`: client.ts answers jobs with this.
  const measured = (await client.ask({ ...job, url: server.address, connections } satisfies Job)) as Measured
  const after = await usage(server)
  return { ...measured, cpu: (after.cpu - before.cpu) / Math.max(1, measured.requests) }
}

/** The resources that a server process has used so far. */
export async function usage(server: Server): Promise<Usage> {
  // `as`: the servers answer every message with this, at least.
  return (await server.child.ask({})) as Usage
}
