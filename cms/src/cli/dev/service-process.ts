import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { environmentWithoutFile } from '../command/environment.ts'
import type { FromService } from './messages.ts'

/** How long a service may take to close before it is killed. */
const PATIENCE_MS = 1_000

/** What happens to a service. */
export interface ServiceListener {
  hear(message: FromService): void
  /** It has ended, and nobody has asked it to. */
  ended(how: string): void
}

/** A service in a process of its own. */
export class ServiceProcess {
  readonly #child: ChildProcess
  #isStopping = false

  constructor(args: readonly string[], listener: ServiceListener) {
    // The file `.env` may have changed: the process reads it itself.
    this.#child = fork(process.argv[1] ?? '', ['dev-service', ...args], { env: environmentWithoutFile() })
    this.#child.on('message', (message: FromService) => {
      if (!this.#isStopping) listener.hear(message)
    })
    this.#child.on('exit', (code, signal) => {
      if (!this.#isStopping) listener.ended(signal === null ? `with code ${code}` : `by ${signal}`)
    })
  }

  /** Lets it close, or kills it when that takes long. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    const timer = setTimeout(() => this.kill(), PATIENCE_MS)
    if (child.connected) child.disconnect()
    await ended
    clearTimeout(timer)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}
