import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A process of the benchmark. It answers one message at a time. */
export interface Child {
  readonly pid: number
  /** Sends a message and waits for the answer to it. */
  ask(message: object): Promise<unknown>
  stop(): Promise<void>
  /** Its output before it ended; null while it runs. */
  failure(): string | null
}

/** A job of the client process. */
export interface Job {
  readonly url: string
  readonly connections: number
  readonly headers: Readonly<Record<string, string>>
  /** Connections of writes, in addition. */
  readonly writeHeaders?: Readonly<Record<string, string>>
  /** Sent one after the other, and again from the first one. */
  readonly requests: readonly JobRequest[]
  /** Go on for this long; null: until as many as `amount` says are sent, or each once. */
  readonly seconds: number | null
  readonly amount?: number
  /** The index of the first request. */
  readonly from?: number
  /** Appends a parameter to the URL of each GET that none had before, so that no cache has its answer. */
  readonly isUnique?: boolean
  /** The status that counts as success where it is not 2xx: 404. */
  readonly status?: number | undefined
}

export interface JobRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  readonly path: string
  readonly body?: string
}

/** The measurements of the client process. Times in milliseconds. */
export interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly requests: number
  /** Answers that were not as expected, and connections that failed. */
  readonly failures: number
  /** The beginning of the first such answer. */
  readonly failure?: string | undefined
}

/** The resources that a server process has used since it started: processor time in microseconds, memory in bytes. */
export interface Usage {
  readonly cpu: number
  readonly rss: number
}

/** How a process is started, where it is not as usual. */
export interface Start {
  readonly nodeOptions?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Prints nothing, unless it ends by itself. */
  readonly isSilent?: boolean
}

const LONGEST_MESSAGE = 4000

/** Starts `file` of this folder with its settings; resolves when it says that it is ready. */
export function startChild(file: string, settings: object, nodeOptions: readonly string[] = []): Promise<Child> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  return startProgram(path, { args: [JSON.stringify(settings)], nodeOptions })
}

/** Starts a program that `reply` answers in; resolves when it says that it is ready. */
export async function startProgram(path: string, start: Start): Promise<Child> {
  const child = fork(path, [...(start.args ?? [])], {
    execArgv: [...(start.nodeOptions ?? [])],
    // As the command does.
    env: { MALLOC_ARENA_MAX: '2', ...process.env, ...start.env },
    stdio: start.isSilent ? ['ignore', 'ignore', 'pipe', 'ipc'] : ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let printed = ''
  child.stderr?.on('data', (text) => {
    printed = (printed + text).slice(-LONGEST_MESSAGE)
  })
  const nextMessage = () => messageOf(child, () => printed)
  await nextMessage()
  return {
    pid: child.pid ?? 0,
    ask(message) {
      const answer = nextMessage()
      child.send(message)
      return answer
    },
    stop: () => stop(child),
    failure: () => (child.exitCode === null ? null : `It ended with code ${child.exitCode}. ${printed}`),
  }
}

/** In the child: announces to the parent that it is ready, and answers its messages. */
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

function messageOf(child: ChildProcess, printed: () => string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => {
      reject(new Error(`A process of the benchmark ended with code ${code}. ${printed()}`))
    }
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
