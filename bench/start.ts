import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Child, startChild } from './children.ts'
import type { Server } from './measure.ts'

/** Starts bare node:http, with prepared answers. */
export async function startBare(): Promise<Server> {
  const port = await freePort()
  return { address: `http://127.0.0.1:${port}`, child: await startChild('bare.ts', { port }) }
}

/** Starts the process that sends requests. */
export function startClient(): Promise<Child> {
  return startChild('client.ts', {})
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}
