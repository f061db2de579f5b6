import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Client } from 'pg'

/** A connection to the server, given to one transaction after another. */
interface Backend {
  readonly socket: Duplex
  receive: (type: string, message: Buffer) => void
}

/** A pooler in transaction mode. */
export interface TransactionPooler {
  readonly url: string
  close(): Promise<void>
}

const SSL_REQUEST = 80_877_103
const GREETING = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])),
  ...['server_version\0' + '17.0', 'client_encoding\0UTF8', 'standard_conforming_strings\0on'].map((text) =>
    message('S', Buffer.from(`${text}\0`)),
  ),
  message('K', Buffer.alloc(8)),
  ready(),
])
const REFUSAL = message('E', Buffer.from('SERROR\0C0A000\0MThis pooler passes on no LISTEN.\0\0'))

/**
 * Starts a pooler before a server, as small as one can be: it gives each transaction another connection to the server than
 * the one before, tells the server of the name of its client as PgBouncer does, and refuses to listen.
 */
export async function startTransactionPooler(serverUrl: string, size = 4): Promise<TransactionPooler> {
  const idle = await Promise.all(Array.from({ length: size }, () => connectTo(serverUrl)))
  const all = [...idle]
  const waiting: ((backend: Backend) => void)[] = []
  const release = (backend: Backend) => {
    const next = waiting.shift()
    if (next === undefined) idle.push(backend)
    else next(backend)
  }
  const take = async () => idle.shift() ?? new Promise<Backend>((resolve) => void waiting.push(resolve))
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket, take, release)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  // `as`: it listens on a port.
  url.port = String((server.address() as AddressInfo).port)
  url.searchParams.delete('host')
  return {
    url: url.href,
    close: async () => {
      server.close()
      for (const socket of [...sockets, ...all.map(({ socket }) => socket)]) socket.destroy()
    },
  }
}

/** The driver signs in; from then on, the connection is ours alone. */
async function connectTo(url: string): Promise<Backend> {
  const client = new Client(url)
  client.on('error', () => {})
  await client.connect()
  const { stream } = client.connection
  stream.removeAllListeners('data')
  const backend: Backend = { socket: stream, receive: () => {} }
  eachMessage(stream, (type, bytes) => backend.receive(type, bytes))
  return backend
}

/** Passes on what a client sends, to a connection that it has until its transaction ends. */
function serve(client: Socket, take: () => Promise<Backend>, release: (backend: Backend) => void): void {
  let backend: Backend | null = null
  let name = ''
  let unanswered = 0
  let work = Promise.resolve()
  const receive = (type: string, bytes: Buffer) => {
    client.write(bytes)
    if (type !== 'Z') return
    unanswered -= 1
    if (unanswered > 0 || bytes[5] !== 'I'.charCodeAt(0) || backend === null) return
    const free = backend
    backend = null
    release(free)
  }
  const send = async (type: string, bytes: Buffer) => {
    if (type === 'X') return void client.end()
    if (/^listen/i.test(bytes.subarray(5).toString('latin1')))
      return void client.write(Buffer.concat([REFUSAL, ready()]))
    if (backend === null) {
      backend = await take()
      await nameConnection(backend, name)
      backend.receive = receive
    }
    if (type === 'Q' || type === 'S') unanswered += 1
    backend.socket.write(bytes)
  }
  eachMessage(
    client,
    (type, bytes) => {
      work = work.then(() => send(type, bytes))
    },
    (startup) => {
      ;[, name = ''] = /application_name\0([^\0]*)\0/.exec(startup) ?? []
      client.write(GREETING)
    },
  )
  client.on('close', () => {
    if (backend === null) return
    // What it had begun is undone, and the connection is fit for others.
    const left = backend
    left.receive = (type, bytes) => {
      if (type === 'Z' && bytes[5] === 'I'.charCodeAt(0)) release(left)
    }
    left.socket.write(message('Q', Buffer.from('rollback\0')))
  })
}

async function nameConnection(backend: Backend, name: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  backend.receive = (type) => {
    if (type === 'Z') resolve()
  }
  backend.socket.write(message('Q', Buffer.from(`set application_name = '${name}'\0`)))
  await promise
}

/** Calls back for each whole message; with `whenStarted`, the first ones are those of a client that connects. */
function eachMessage(
  socket: Duplex,
  whenCame: (type: string, bytes: Buffer) => void,
  whenStarted?: (startup: string) => void,
): void {
  let rest = Buffer.alloc(0)
  let isStarting = whenStarted !== undefined
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    for (;;) {
      const head = isStarting ? 0 : 1
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      const bytes = rest.subarray(0, length)
      rest = rest.subarray(length)
      if (!isStarting) whenCame(String.fromCharCode(bytes[0] ?? 0), bytes)
      else if (bytes.readInt32BE(4) === SSL_REQUEST) socket.write('N')
      else {
        isStarting = false
        whenStarted?.(bytes.toString('latin1'))
      }
    }
  })
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function ready(): Buffer {
  return message('Z', Buffer.from('I'))
}
