import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { relative, resolve } from 'node:path'
import { ENV_FILE, environmentWithoutFile } from '../command/env-file.ts'
import { paint, printLine } from '../command/pretty-log.ts'
import type { Entrance } from './entrance.ts'
import { Watcher } from './watcher.ts'

/** The options of `quire dev`. */
interface DevelopmentOptions {
  /** The options of the service. */
  readonly args: readonly string[]
  readonly siteFile: string
  readonly opensBrowser: boolean
}

/** A site that is served while it is written: started again whenever its files change. */
export class Development {
  readonly #options: DevelopmentOptions
  readonly #entrance: Entrance
  readonly #watcher = new Watcher()
  #service: ServiceProcess | null = null
  #changedAt = 0
  #hasBeenReady = false
  #isStopping = false

  constructor(options: DevelopmentOptions, entrance: Entrance) {
    this.#options = options
    this.#entrance = entrance
    this.#watcher.addFiles([options.siteFile, resolve(ENV_FILE)])
  }

  /** Serves until it is stopped. */
  async run(): Promise<void> {
    this.#start()
    while (!this.#isStopping) {
      const changed = await this.#watcher.changed()
      if (this.#isStopping) return
      if (changed.every((file) => this.#watcher.isInTree(file))) {
        // The service reads templates again by itself.
        printLine(`${named(changed)} changed: shown from now on`)
        continue
      }
      this.#changedAt = performance.now()
      printLine(paint('cyan', `${named(changed)} changed: restarting`))
      this.#entrance.leadTo({ kind: 'none' })
      await this.#service?.stop()
      if (!this.#isStopping) this.#start()
    }
  }

  /** Stops the service and frees the port; at once when it is asked a second time. */
  async stop(): Promise<void> {
    if (this.#isStopping) {
      this.#service?.kill()
      return
    }
    this.#isStopping = true
    this.#watcher.close()
    await this.#service?.stop()
    this.#entrance.close()
  }

  #start(): void {
    this.#service = new ServiceProcess(this.#options.args, {
      hear: (message) => this.#hear(message),
      ended: (how) => this.#showMistake(`The service has ended ${how}. Its output is in the terminal.`),
    })
  }

  #hear(message: FromService): void {
    if (message.kind === 'modules') this.#watcher.addFiles(message.files)
    else if (message.kind === 'templates') this.#watcher.addTree(message.folder)
    else if (message.kind === 'ready') this.#ready(message)
    else if (message.kind === 'mistake') this.#showMistake(message.message)
    else process.kill(process.pid, 'SIGTERM')
  }

  #ready({ port, url, welcome }: Extract<FromService, { kind: 'ready' }>): void {
    this.#entrance.leadTo({ kind: 'service', port })
    if (this.#hasBeenReady) {
      printLine(paint('green', `Ready in ${Math.round(performance.now() - this.#changedAt)} ms`))
      return
    }
    this.#hasBeenReady = true
    if (process.stdout.isTTY) console.log(welcome)
    else printLine(`The site is served at ${url}`)
    if (this.#options.opensBrowser) openBrowser(url)
  }

  #showMistake(message: string): void {
    this.#entrance.leadTo({ kind: 'mistake', message })
    const hint = paint('dim', 'Save a file of the site to try again.')
    printLine(`${paint('red', 'The site cannot be served.')}\n\n${message.replaceAll(/^/gm, '  ')}\n\n  ${hint}\n`)
  }
}

/** `article.ts and 2 more`. */
function named([first = '', ...more]: readonly string[]): string {
  const name = relative('', first)
  return more.length === 0 ? name : `${name} and ${more.length} more`
}

/** Opens an address in the browser that people use on this machine. */
function openBrowser(url: string): void {
  const [program, ...args] = commandFor(url)
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.on('error', () => printLine(`There is no ${program} here to open a browser with. The address is ${url}`))
  child.unref()
}

function commandFor(url: string): readonly [program: string, ...args: string[]] {
  if (process.platform === 'darwin') return ['open', url]
  return process.platform === 'win32' ? ['cmd', '/c', 'start', '""', url] : ['xdg-open', url]
}

/** How long a service may take to close before it is killed. */
const PATIENCE_MS = 1_000

/** The events of a service. */
interface ServiceListener {
  hear(message: FromService): void
  /** Reports that the service has ended unexpectedly. */
  ended(how: string): void
}

/** A service in a process of its own. */
class ServiceProcess {
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

/** Messages of the process that serves the site to `quire dev`, which started it. */
export type FromService =
  /** Modules of the site that it loads. */
  | { readonly kind: 'modules'; readonly files: readonly string[] }
  /** The folder of the site's template files. */
  | { readonly kind: 'templates'; readonly folder: string }
  /** It listens on this port of this machine; people know it by the URL. */
  | { readonly kind: 'ready'; readonly port: number; readonly url: string; readonly welcome: string }
  /** The site cannot be served: what is wrong with it, for people. */
  | { readonly kind: 'mistake'; readonly message: string }
  /** Ctrl-C was pressed while it asked a question. */
  | { readonly kind: 'interrupted' }
