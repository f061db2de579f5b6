import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** How PostgreSQL answers the commit of an announced change; then it says in six bytes that it is ready. */
const COMMITTED = 'SET\0C\0\0\0\u000bCOMMIT\0'
const READY_BYTES = 6

/** Stands between a client and a server on this machine, and fails as networks do. */
export interface TcpProxy {
  readonly port: number
  /** Breaks all connections and refuses new ones. */
  cut(): void
  /** Keeps all connections and takes new ones, but nothing passes: as when a machine is gone. */
  freeze(): void
  /** Each part that passes waits so many milliseconds. */
  slow(milliseconds: number): void
  /**
   * Breaks a connection once, `before` or just after the server's answer to the commit of an announced change passes.
   */
  cutAtCommit(where: 'before' | 'after'): void
  /** Takes connections again, and lets pass what waits. */
  mend(): void
  close(): Promise<void>
}

export async function startProxy(to: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let state: 'well' | 'cut' | 'frozen' = 'well'
  let delay = 0
  let cutting: 'before' | 'after' | null = null
  const pass = (from: Socket, other: Socket) => {
    sockets.add(from)
    if (state === 'frozen') from.pause()
    from.on('error', () => other.destroy())
    from.on('close', () => {
      sockets.delete(from)
      if (state !== 'frozen') other.destroy()
    })
    from.on('data', (data) => {
      const commit = cutting === null ? -1 : data.indexOf(COMMITTED)
      if (commit >= 0) {
        if (cutting === 'after') other.write(data.subarray(0, commit + COMMITTED.length + READY_BYTES))
        cutting = null
        other.end(() => from.destroy())
        return
      }
      if (delay === 0) other.write(data)
      else setTimeout(() => other.write(data), delay)
    })
  }
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy()
      return
    }
    const far = connect(to.port, to.host)
    pass(near, far)
    pass(far, near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    cut: () => {
      state = 'cut'
      breakAll()
    },
    freeze: () => {
      state = 'frozen'
      for (const socket of sockets) socket.pause()
    },
    slow: (milliseconds) => {
      delay = milliseconds
    },
    cutAtCommit: (where) => {
      cutting = where
    },
    mend: () => {
      state = 'well'
      delay = 0
      for (const socket of sockets) socket.resume()
    },
    close: async () => {
      state = 'cut'
      server.close()
      breakAll()
      await once(server, 'close')
    },
  }
}
