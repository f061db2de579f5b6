import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Dice } from '../../cms/test/dice.ts'

/** Stands between a browser and a service, and breaks connections at random points of what they say. */
export interface CuttingProxy {
  readonly address: string
  /** How many of a hundred requests lose their connection: before they arrive, in their middle, or instead of an answer. */
  chance: number
  /** So often a connection was broken. */
  readonly cuts: number
  close(): Promise<void>
}

const PLACES = ['before', 'middle', 'answer', 'half answer'] as const

export async function startCuttingProxy(address: string, dice: Dice): Promise<CuttingProxy> {
  const { hostname, port } = new URL(address)
  const sockets = new Set<Socket>()
  const state = { chance: 0, cuts: 0 }
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    const both = [near, far]
    let cut: (typeof PLACES)[number] | null = null
    const end = () => {
      for (const socket of both) socket.destroy()
    }
    const breakOff = () => {
      state.cuts += 1
      end()
    }
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    near.on('data', (data) => {
      cut ??= dice.isBelow(state.chance / 100) ? dice.pick(PLACES) : null
      if (cut === 'before') breakOff()
      else if (cut === 'middle') far.write(data.subarray(0, data.length / 2), breakOff)
      else far.write(data)
    })
    far.on('data', (data) => {
      if (cut === 'answer') breakOff()
      else if (cut === 'half answer') near.write(data.subarray(0, data.length / 2), breakOff)
      else near.write(data)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('The proxy has no port.')
  return Object.assign(state, {
    address: `http://127.0.0.1:${at.port}`,
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  })
}
