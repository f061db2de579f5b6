import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { numberReader } from './sqlite-connection.ts'

/** After how many changed rows the log is copied: each takes about a page of it. */
const ROWS = 4000

/**
 * The program of the thread; a text, so that it is the same in a bundle. It copies twice: what was committed while it copied
 * first is little, so that the log can mostly restart afterwards. A file that is gone is not created.
 */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const { pathToFileURL } = require('node:url')
  const file = pathToFileURL(workerData)
  file.search = 'mode=rw'
  const database = new DatabaseSync(file)
  const checkpoint = database.prepare('pragma wal_checkpoint(passive)')
  parentPort.on('message', (message) => {
    if (message === 'close') {
      database.close()
      return parentPort.close()
    }
    for (let time = 0; time < 2; time += 1) checkpoint.get()
    parentPort.postMessage('copied')
  })`

/** The thread runs nothing but its program: no hooks that the command loads, and no debugger. */
const ALONE = { execArgv: [], env: {} }

/**
 * Copies the write-ahead log into the database file on a thread of its own, with a connection of its own, which begins
 * when enough was written: it takes as long as the disk does, and no request waits for it. Where it fails, as on a full
 * disk, a new thread tries again when as much was written again; meanwhile the writer copies by itself, once the log is
 * longer than `wal_autocheckpoint` says.
 */
export class SqliteCheckpoints {
  readonly #path: string
  readonly #changedRows: () => number
  #copiedAt = 0
  #state: 'resting' | 'copying' | 'closed' = 'resting'
  #worker: Worker | null = null

  constructor(path: string, writer: DatabaseSync) {
    this.#path = path
    this.#changedRows = numberReader(writer, 'select total_changes()')
  }

  /** To be called after each commit. */
  committed(): void {
    if (this.#state !== 'resting') return
    const changes = this.#changedRows()
    if (changes - this.#copiedAt < ROWS) return
    this.#copiedAt = changes
    this.#state = 'copying'
    this.#copy()
  }

  /** Before the other connections are closed: the last one tidies up. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#state = 'closed'
    if (worker === null) return
    worker.ref()
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage('close')
    await exited
  }

  #copy(): void {
    try {
      this.#worker ??= this.#started(new Worker(PROGRAM, { ...ALONE, eval: true, workerData: this.#path }))
      this.#worker.postMessage('copy')
    } catch {
      // The system gives no further thread, or the options of Node.js allow none.
      this.#rest()
    }
  }

  #rest(): void {
    if (this.#state === 'copying') this.#state = 'resting'
  }

  #started(worker: Worker): Worker {
    worker.unref()
    worker.on('message', () => this.#rest())
    // The thread ends. The writer must then do what it could not do, and reports why it cannot either.
    worker.on('error', () => {})
    worker.on('exit', () => {
      this.#worker = null
      this.#rest()
    })
    return worker
  }
}
