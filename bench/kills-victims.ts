import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../cms/test/free-port.ts'
import { type PostgresServer, runOn } from '../cms/test/postgres-server.ts'
import { type Serving, serve } from '../cms/test/serving.ts'
import { temporaryFolder } from '../cms/test/temporary-folder.ts'
import { processTree } from './processes.ts'

/** Something that can be killed. */
export interface Victim {
  readonly kind: 'service' | 'worker' | 'database' | 'backend' | 'replica' | 'bucket'
  /** Kills it with SIGKILL, and resolves when it is there again; false where there was nothing to kill. */
  kill(): Promise<boolean>
}

const SITE = fileURLToPath(new URL('kills-site.ts', import.meta.url))
const BUCKET = fileURLToPath(new URL('kills-bucket.ts', import.meta.url))
const STARTS = 20
const WORKERS = 2

/** `quire serve`, which is started again whenever it is killed. */
export class Service {
  readonly #database: string
  readonly #environment: Readonly<Record<string, string>>
  #serving: Serving | null = null
  #port: number | null = null
  /** What it printed where it has ended without having been killed. */
  readonly endedByItself: string[] = []
  isOver = false

  constructor(database: string, environment: Readonly<Record<string, string>>) {
    this.#database = database
    this.#environment = environment
  }

  /** Null while it is not there. */
  get address(): string | null {
    return this.#serving?.address ?? null
  }

  /** As a supervisor does: it is started again where it cannot start, such as without a database. */
  async start(): Promise<void> {
    for (let attempt = 1; this.#serving === null; attempt += 1) {
      try {
        // Always the same one, also where all workers have died.
        this.#port ??= await freePort()
        this.#serving = await serve(this.#database, this.#environment, SITE, this.#port)
      } catch (error) {
        if (attempt === STARTS) throw error
        await pause(200)
      }
    }
    const serving = this.#serving
    void serving.ended.then(() => {
      if (this.#serving !== serving || this.isOver) return
      this.endedByItself.push(serving.printed().slice(-2000))
      this.#serving = null
      return this.start()
    })
  }

  async kill(): Promise<boolean> {
    const serving = this.#serving
    if (serving === null) return false
    this.#serving = null
    await serving.end('SIGKILL')
    await this.start()
    return true
  }

  /** One of its workers. */
  async killWorker(): Promise<boolean> {
    const serving = this.#serving
    const worker = serving === null ? undefined : workersOf(serving)[0]
    if (serving === null || worker === undefined || !killProcess(worker)) return false
    while (this.#serving === serving && workersOf(serving).filter((pid) => pid !== worker).length < WORKERS)
      await pause(50)
    return true
  }

  async end(): Promise<void> {
    this.isOver = true
    await this.#serving?.end('SIGTERM')
  }
}

/** False where the process has ended since it was found. */
function killProcess(id: number): boolean {
  try {
    return process.kill(id, 'SIGKILL')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

const workersOf = ({ processId }: Serving) => processTree(processId).slice(1)

/** Kills a server of PostgreSQL, and starts it again. */
export async function killServer(server: PostgresServer): Promise<boolean> {
  await server.kill()
  await server.restart()
  return true
}

/** Kills one process of PostgreSQL that serves a connection: the server ends all others, and recovers. */
export async function killBackend(server: PostgresServer, database: string): Promise<boolean> {
  const busy = `select pid from pg_stat_activity where datname = $1 and backend_type = 'client backend' order by random() limit 1`
  const [[pid] = []] = await runOn(server.url, busy, [database]).catch(() => [])
  if (typeof pid !== 'number' || !killProcess(pid)) return false
  do await pause(50)
  while (!(await isAnswering(server)))
  return true
}

const isAnswering = ({ url }: PostgresServer) =>
  runOn(url, 'select 1').then(
    () => true,
    () => false,
  )

/** An S3 server with the bucket `files`. */
export class Bucket {
  readonly #folder: string
  readonly #port: number
  #child: ChildProcess | null = null

  constructor(folder: string, port: number) {
    this.#folder = folder
    this.#port = port
  }

  static async create(): Promise<Bucket> {
    const folder = await temporaryFolder('quire-bucket')
    await mkdir(join(folder, 'files'), { recursive: true })
    const bucket = new Bucket(folder, await freePort())
    await bucket.start()
    return bucket
  }

  /** With it, a service stores uploads here, below a prefix. */
  environment(prefix: string): Record<string, string> {
    return {
      QUIRE_UPLOADS: `s3://files/${prefix}`,
      QUIRE_UPLOADS_ENDPOINT: `http://127.0.0.1:${this.#port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_REGION: 'us-east-1',
    }
  }

  async start(): Promise<void> {
    for (;;) {
      const child = fork(BUCKET, [this.#folder, String(this.#port)], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] })
      this.#child = child
      if (child.stdout === null) throw new Error('The bucket has no output.')
      const ready = once(child.stdout, 'data').then(() => true)
      // Meanwhile a connection of another process may have got its port.
      if (await Promise.race([ready, once(child, 'exit').then(() => false)])) return
      await pause(200)
    }
  }

  async kill(): Promise<boolean> {
    await this.#end()
    await this.start()
    return true
  }

  async remove(): Promise<void> {
    await this.#end()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (child === null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}
