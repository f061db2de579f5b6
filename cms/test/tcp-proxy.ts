import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a server on this machine, and fails as networks do. */
export interface TcpProxy {
  readonly port: number
  /** Breaks all connections and refuses new ones. */
  cut(): void
  /** Keeps all connections and takes new ones, but nothing passes: as when a machine is gone. */
  freeze(): void
  /** Each part that passes waits so many milliseconds. */
  slow(milliseconds: number): void
  /** Takes connections again, and lets pass what waits. */
  mend(): void
  close(): Promise<void>
}

export async function startProxy(to: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let state: 'well' | 'cut' | 'frozen' = 'well'
  let delay = 0
  const pass = (from: Socket, other: Socket) => {
    sockets.add(from)
    if (state === 'frozen') from.pause()
    from.on('error', () => other.destroy())
    from.on('close', () => {
      sockets.delete(from)
      if (state !== 'frozen') other.destroy()
    })
    from.on('data', (data) => {
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
