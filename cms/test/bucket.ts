import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { vi } from 'vitest'

/** A bucket on a server of this machine, for tests. */
export interface TestBucket {
  /** Of the server, without the bucket. */
  readonly url: string
  /** The headers of an object. */
  head(name: string): Promise<Response>
  /** All names in it. */
  names(): Promise<string[]>
  /** Answers that writes are not allowed, or no longer does. */
  refuseWrites(refuses: boolean): void
  /** How many writes have been asked for. */
  writes(): number
  /** Ends the server and all its connections, as when its machine fails; `resume` brings it back, on the same port. */
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

const DENIED = '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'

/** Starts an S3 server with one empty bucket, and puts its credentials into the environment. */
export async function startBucket(name: string): Promise<TestBucket> {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER')
  const directory = await mkdtemp(join(tmpdir(), 'quire-bucket-'))
  const start = async (port: number) => {
    const options = { address: '127.0.0.1', port, silent: true, directory, vhostBuckets: false }
    const server = new S3rver({ ...options, configureBuckets: [{ name }] })
    const { port: listening } = await server.run()
    const [answer] = server.httpServer.listeners('request')
    server.httpServer.removeAllListeners('request')
    server.httpServer.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const isWrite = request.method === 'PUT'
      if (isWrite) writes += 1
      if (isWrite && isReadOnly) response.writeHead(403, { 'content-type': 'application/xml' }).end(DENIED)
      else answer?.call(server.httpServer, request, response)
    })
    return { server, port: listening }
  }
  let isReadOnly = false
  let writes = 0
  let running = await start(0)
  const url = `http://127.0.0.1:${running.port}`
  const pause = async () => {
    const { httpServer } = running.server
    if (!httpServer.listening) return
    const closed = new Promise((resolve) => httpServer.once('close', resolve))
    httpServer.close()
    httpServer.closeAllConnections()
    await closed
  }
  return {
    url,
    head: (object) => fetch(`${url}/${name}/${object}`, { method: 'HEAD' }),
    refuseWrites: (refuses) => {
      isReadOnly = refuses
    },
    writes: () => writes,
    names: async () => {
      const listing = await (await fetch(`${url}/${name}?list-type=2`)).text()
      return Array.from(listing.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key = '']) => key)
    },
    pause,
    resume: async () => {
      running = await start(running.port)
    },
    stop: async () => {
      await pause()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
