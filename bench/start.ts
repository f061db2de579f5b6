import { freePort } from '../cms/test/free-port.ts'
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
