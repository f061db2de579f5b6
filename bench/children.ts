import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A process of the benchmark. It answers one message at a time. */
export interface Child {
  readonly pid: number
  /** Sends a message and waits for the answer to it. */
  ask(message: object): Promise<unknown>
  stop(): Promise<void>
}

/** What the client process is told to do. */
export interface Job {
  readonly url: string
  readonly connections: number
  /** Go round and round for this long; null: send each request exactly once. */
  readonly seconds: number | null
  readonly headers: Readonly<Record<string, string>>
  /** What counts as success where it is not 2xx: 404. */
  readonly status?: number | undefined
  readonly requests: readonly JobRequest[]
}

export interface JobRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: string
}

/** What the client process saw. Times in milliseconds. */
export interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly requests: number
  /** Answers that were not as expected, and connections that failed. */
  readonly failures: number
}

/** What a server process has used since it started: processor time in microseconds, memory in bytes. */
export interface Usage {
  readonly cpu: number
  readonly rss: number
}

/** Starts `file` of this folder as a process that `reply` serves in; resolves when it says that it is ready. */
export async function startChild(file: string, settings: object, nodeOptions: readonly string[] = []): Promise<Child> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(settings)], {
    execArgv: [...nodeOptions],
    // As the command does.
    env: { MALLOC_ARENA_MAX: '2', ...process.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await nextMessage(child)
  return {
    pid: child.pid ?? 0,
    ask(message) {
      const answer = nextMessage(child)
      child.send(message)
      return answer
    },
    stop: () => stop(child),
  }
}

/** In the child: tells the parent that it is ready, and answers its messages. */
export function reply(answer: (message: never) => unknown): void {
  // The parent and its children are this folder's own files: each sends only what the other one declares.
  process.on('message', async (message) => process.send?.({ answer: await answer(message as never) }))
  process.on('disconnect', () => process.exit())
  process.send?.({ answer: 'ready' })
}

/** In the child: the settings it was started with. */
export function childSettings<Settings extends object>(): Settings {
  return JSON.parse(process.argv[2] ?? '{}')
}

/** In a server process: what it has used so far. */
export function ownUsage(): Usage {
  const { user, system } = process.cpuUsage()
  return { cpu: user + system, rss: process.memoryUsage.rss() }
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`A process of the benchmark ended with code ${code}.`))
    child.once('exit', ended)
    child.once('message', (message: { readonly answer: unknown }) => {
      child.off('exit', ended)
      resolve(message.answer)
    })
  })
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
