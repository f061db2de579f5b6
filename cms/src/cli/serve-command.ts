import type { Log } from '../base/log.ts'
import { command } from './command/command.ts'
import {
  type Address,
  address,
  inheritedSocket,
  logsRequests,
  metricsPortOf,
  workerCount,
} from './command/environment.ts'
import { logLevel, serviceLog } from './command/json-log.ts'
import { misspelledVariables } from './command/known-variables.ts'
import { listenOptions } from './command/site-module.ts'
import { openService, shownAddress, welcomeTo } from './serve/open-service.ts'
import { RunningProcess } from './serve/running-process.ts'
import { type ThisWorker, thisWorker } from './serve/worker.ts'

/** `quire serve`: opens the database, migrates it, seeds an empty one, and serves requests. */
export const serve = command({
  meta: { name: 'serve', description: 'Serve the site over HTTP' },
  args: {
    ...listenOptions,
    workers: {
      type: 'string',
      description: 'How many processes serve (QUIRE_WORKERS; default 1), or auto: one for each processor',
      valueHint: 'number',
    },
  },
  async run({ args }) {
    const worker = process.env.QUIRE_WORKER === undefined ? null : await thisWorker(process.env)
    const asked = address(args, process.env)
    const socket = inheritedSocket(process.env, worker === null ? process.pid : process.ppid)
    // All workers listen on the same port, also those that come when all others have died.
    const metricsPort = metricsPortOf(process.env, socket === null ? asked.port : null)
    const listen = { ...asked, port: worker?.port ?? asked.port, socket, metricsPort }
    const log = serviceLog(logLevel(process.env))
    if (worker === null)
      for (const { name, message } of misspelledVariables(process.env)) log.warn({ variable: name }, message)
    const count = workerCount(args.workers, process.env)
    if (worker === null && count > 1) {
      const { serveByWorkers } = await import('./serve/serve-by-workers.ts')
      return serveByWorkers(count, listen, log)
    }
    const running = new RunningProcess(worker, log)
    try {
      await serveSite({ site: args.site, isNew: args.new === true, ...listen }, worker, running, log)
    } catch (error) {
      await running.failed()
      throw error
    }
  },
})

/** The site to serve, and its address. */
interface Serving extends Address {
  /** The descriptor of the socket that was inherited, which port and host do not matter for; null: there is none. */
  readonly socket: number | null
  readonly site: string | undefined
  /** Begin with an empty database even though there are uploads. */
  readonly isNew: boolean
  readonly metricsPort: number | null
}

async function serveSite(
  { site, isNew, ...listen }: Serving,
  worker: ThisWorker | null,
  running: RunningProcess,
  log: Log,
): Promise<void> {
  const { port, host, socket, metricsPort } = listen
  const opened = await openService(process.env, {
    site,
    isNew,
    log,
    ...running.options,
    ...(logsRequests(process.env, false)
      ? { accessLog: (answered) => log.info(answered, 'A request was answered.') }
      : {}),
    isPrepared: worker?.isFirst === false,
    onOpen: (app) => running.opened(app),
  })
  if (worker === null && metricsPort !== null) {
    const { serveMetrics } = await import('./serve/serve-metrics.ts')
    await serveMetrics(metricsPort, host, () => running.metrics.collect())
  }
  const listening = await opened.app.listen(socket === null ? port : { fd: socket }, host)
  const shown = socket === null ? shownAddress(Number(new URL(listening).port || '80'), host) : listening
  running.listens({ site: opened.app.site.name, address: shown, ...opened })
  if (worker?.isFirst !== false && process.stdout.isTTY) console.log(await welcomeTo(opened, shown))
}
