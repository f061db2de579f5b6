import { Client, type ClientConfig } from 'pg'
import type { Log } from '../base/log.ts'

const CONNECT_MILLISECONDS = 10_000
const PING_MILLISECONDS = 10_000
const CHANNEL = 'quire_documents'

/** Hears of other processes' changes. While it is not connected, nobody knows which state reads see. */
export class Listener {
  revision: string | null = null
  readonly #config: ClientConfig
  readonly #name: string
  readonly #log: Log
  #changes = 0
  #hearsItself = false
  #client: Client | null = null
  #isStopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(config: ClientConfig, name: string, log: Log) {
    this.#config = { ...config, connectionTimeoutMillis: CONNECT_MILLISECONDS, query_timeout: PING_MILLISECONDS }
    this.#name = name
    this.#log = log
  }

  changed(): void {
    this.#changes += 1
    if (this.revision !== null) this.revision = `${this.#name}.${this.#changes}`
  }

  /** The answer to a commit was lost: it may still come to pass, so from now on our own changes are listened to too. */
  changedPerhaps(): void {
    this.#hearsItself = true
    this.changed()
  }

  async start(failures = 0): Promise<void> {
    const client = new Client(this.#config)
    // What fails here ends the connection, which is told of by `end`.
    client.on('error', () => {})
    client.on('end', () => this.#lost(client, 0))
    client.on('notification', ({ payload }) => {
      if (this.#hearsItself || payload !== this.#name) this.changed()
    })
    this.#client = client
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch {
      this.#lost(client, failures + 1)
      return
    }
    if (this.#isStopped || this.#client !== client) return
    this.revision = this.#name
    this.changed()
    this.#watch(client)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.revision = null
    clearTimeout(this.#timer)
    // A connection that cannot even be ended is gone already.
    await this.#client?.end().catch(() => {})
  }

  /** A connection can die without a word: asks now and then whether it still answers. */
  #watch(client: Client): void {
    this.#timer = setTimeout(async () => {
      await client.query('select 1').then(
        () => this.#client === client && !this.#isStopped && this.#watch(client),
        () => this.#lost(client, 0),
      )
    }, PING_MILLISECONDS).unref()
  }

  #lost(client: Client, failures: number): void {
    if (this.#isStopped || this.#client !== client) return
    if (this.revision !== null) this.#log.warn({}, 'No longer hearing of changes by other processes; reconnecting.')
    this.#client = null
    this.revision = null
    // It is lost: that ending it fails too says nothing new.
    client.end().catch(() => {})
    clearTimeout(this.#timer)
    const delay = Math.min(100 * 2 ** failures, 5000)
    this.#timer = setTimeout(() => void this.start(failures), delay).unref()
  }
}
