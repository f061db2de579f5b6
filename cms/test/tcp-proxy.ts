import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a server on this machine, and can be cut, frozen and slowed down. */
export interface TcpProxy {
  readonly port: number
  /** Breaks all connections and refuses new ones. */
  cut(): void
  /** Keeps all connections, and lets nothing through any more; those made from now on are taken and get no answer. */
  freeze(): void
  /** Holds back everything that the server says by so many milliseconds. */
  slow(milliseconds: number): void
  /** Takes connections again, and lets everything through. What was frozen stays so, as after a lost route. */
  mend(): void
  close(): Promise<void>
}

export async function startProxy(to: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const frozen = new Set<() => void>()
  let isCut = false
  let isFrozen = false
  let delay = 0
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(to.port, to.host)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    let wasFrozen = isFrozen
    const isLost = () => {
      wasFrozen ||= isFrozen
      return wasFrozen
    }
    near.on('data', (bytes) => isLost() || far.write(bytes))
    far.on('data', (bytes) => {
      if (isLost()) return
      if (delay === 0) near.write(bytes)
      else setTimeout(() => isLost() || near.write(bytes), delay)
    })
    frozen.add(() => {
      wasFrozen = true
    })
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
      isCut = true
      breakAll()
    },
    freeze: () => {
      isFrozen = true
      for (const freezeOne of frozen) freezeOne()
    },
    slow: (milliseconds) => {
      delay = milliseconds
    },
    mend: () => {
      isCut = false
      isFrozen = false
      delay = 0
    },
    close: async () => {
      server.close()
      breakAll()
      await once(server, 'close')
    },
  }
}
