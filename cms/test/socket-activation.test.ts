import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { inheritedSocket } from '../src/cli/command/environment.ts'
import { sampledDatabases, type TestDatabases } from './databases.ts'

const COMMAND = fileURLToPath(new URL('../bin/quire.js', import.meta.url))
const SITE = fileURLToPath(new URL('./tiny-site.ts', import.meta.url))
const KEY = 'key-editor'.padEnd(32, '-')
/** As systemd does: it has the socket as descriptor 3, hands it over, and starts again what has ended. */
const PARENT = `while :; do sh -c 'echo "pid $$"; LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"' sh "$@"; done`

/** A parent that keeps a listening socket open, and the service that it starts again and again. */
interface Parent {
  readonly address: string
  /** The process ids of all that were started so far. */
  processIds(): readonly number[]
  /** How many of them have said that they serve. */
  started(): number
  printed(): string
}

async function startParent(databases: TestDatabases, environment: Readonly<Record<string, string>>): Promise<Parent> {
  const database = await databases.createReady()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // `as`: it listens on a port.
  const { port } = server.address() as AddressInfo
  const serve = [process.execPath, COMMAND, 'serve', '--site', SITE]
  const child = spawn('/bin/sh', ['-c', PARENT, 'sh', ...serve], {
    cwd: tmpdir(),
    env: { ...process.env, QUIRE_DATABASE: database.url, QUIRE_API_KEYS: `editor:${KEY}`, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', descriptorOf(server)],
  })
  // From now on the socket is the child's alone.
  server.close()
  const printed = printedBy(child)
  const processIds = () => [...printed().matchAll(/^pid (\d+)$/gm)].map(([, id]) => Number(id))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    const last = processIds().at(-1)
    if (last !== undefined) process.kill(last, 'SIGKILL')
    await database.drop()
  })
  return {
    address: `http://127.0.0.1:${port}`,
    processIds,
    started: () => printed().match(/The service has started/g)?.length ?? 0,
    printed,
  }
}

/** The descriptor of what a server listens on. `as`: Node.js does not declare it. */
const descriptorOf = (server: Server) => (server as unknown as { readonly _handle: { readonly fd: number } })._handle.fd

function printedBy({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const output of [stdout, stderr])
    output?.on('data', (data: Buffer) => {
      text += data
    })
  return () => text
}

/** Sends requests one after another until it is told to stop; the outcome of each. */
function client(address: string, agent: Agent, method: 'GET' | 'POST') {
  const outcomes: string[] = []
  let isStopped = false
  const work = async () => {
    while (!isStopped) {
      outcomes.push(await answerOf(address, agent, method))
      await pause(20)
    }
  }
  const done = work()
  return {
    outcomes,
    stop: async () => {
      isStopped = true
      await done
    },
  }
}

/** The status of an answer, or the code of the error for which there is none. */
function answerOf(address: string, agent: Agent, method: 'GET' | 'POST'): Promise<string> {
  return new Promise((resolve) => {
    const headers = { authorization: `ApiKey ${KEY}`, 'content-type': 'application/json' }
    const call = request(`${address}/api/v1/note`, { method, agent, headers }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)))
      response.on('error', (error) => resolve(error.message))
    })
    call.on('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    call.end(method === 'POST' ? '{"title":"Saved"}' : undefined)
  })
}

/** Longer than a start takes while other tests run. */
const WAIT = { timeout: 90_000, interval: 100 }

describe.each(sampledDatabases('a socket that was inherited'))(
  '§0.11 a socket that was inherited, on $name',
  (databases) => {
    test.each([1, 2])(
      'refuses nobody while the service is restarted; workers: %i',
      { timeout: 300_000 },
      async (workers) => {
        const parent = await startParent(databases, { QUIRE_WORKERS: String(workers) })
        const agents = [new Agent({ keepAlive: false }), new Agent({ keepAlive: true })]
        const clients = agents.flatMap((agent) => [
          client(parent.address, agent, 'GET'),
          client(parent.address, agent, 'POST'),
        ])
        const answeredMore = () => {
          const before = clients.map(({ outcomes }) => outcomes.length)
          return () => clients.every(({ outcomes }, index) => outcomes.length > (before[index] ?? 0) + 5)
        }
        await expect.poll(parent.started, WAIT).toBe(workers)
        await expect.poll(answeredMore(), WAIT).toBe(true)
        const [first = 0] = parent.processIds()
        process.kill(first, 'SIGTERM')
        await expect.poll(parent.started, WAIT).toBe(2 * workers)
        expect(parent.processIds()).toHaveLength(2)
        await expect.poll(answeredMore(), WAIT).toBe(true)
        await Promise.all(clients.map(({ stop }) => stop()))
        expect(clients.map(({ outcomes }) => outcomes.filter((outcome) => outcome !== '200'))).toEqual([[], [], [], []])
      },
    )

    test('is one: several are refused, and one that is for another process is left alone', () => {
      expect(inheritedSocket({}, 7)).toBeNull()
      expect(inheritedSocket({ LISTEN_PID: '8', LISTEN_FDS: '1' }, 7)).toBeNull()
      expect(inheritedSocket({ LISTEN_PID: '7', LISTEN_FDS: '1' }, 7)).toBe(3)
      expect(() => inheritedSocket({ LISTEN_PID: '7', LISTEN_FDS: '2' }, 7)).toThrow('LISTEN_FDS must be 1, not “2”')
    })
  },
)
