import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json, text } from 'node:stream/consumers'

/** A request that a receiver of purges has got. */
export interface ReceivedPurge {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly tags: readonly string[]
}

/** A cache's receiver of purges, which answers as a test wants. */
export interface PurgeReceiver {
  readonly url: string
  readonly received: ReceivedPurge[]
  readonly state: {
    status: number
    /** How many requests it answers at present, and how many that were at most. */
    running: number
    mostRunning: number
  }
  close(): void
}

/** Starts it; `purge` is called before each success is answered. */
export async function startPurgeReceiver(purge: (tags: readonly string[]) => void = () => {}): Promise<PurgeReceiver> {
  const received: ReceivedPurge[] = []
  const state = { status: 200, running: 0, mostRunning: 0 }
  const server = createServer(async (request, response) => {
    state.running += 1
    state.mostRunning = Math.max(state.mostRunning, state.running)
    const { method = '', headers } = request
    // `as`: what is sent has tags.
    const isJson = headers['content-type'] === 'application/json'
    const body = isJson ? ((await json(request)) as { tags: string[] }) : { tags: await tagsInHeader(headers, request) }
    received.push({ method, headers, tags: body.tags })
    if (state.status === 200) purge(body.tags)
    setImmediate(() => {
      state.running -= 1
      response.writeHead(state.status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // `as`: it listens on a port.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/purge`, received, state, close: () => server.close() }
}

async function tagsInHeader(headers: IncomingHttpHeaders, body: NodeJS.ReadableStream): Promise<string[]> {
  await text(body)
  return String(headers['surrogate-key'] ?? '').split(' ')
}
