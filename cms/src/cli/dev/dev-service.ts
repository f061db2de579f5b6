import { fileURLToPath } from 'node:url'
import type { App } from '../../service.ts'
import { command } from '../command/command.ts'
import { address, logsRequests } from '../command/environment.ts'
import { UsageError } from '../command/failure.ts'
import { logLevel } from '../command/json-log.ts'
import { prettyLog, prettyRequest } from '../command/pretty-log.ts'
import { listenOptions, siteFile } from '../command/site-module.ts'
import { openService, shownAddress, welcomeTo } from '../serve/open-service.ts'
import type { FromService } from './messages.ts'
import { mistakeIn } from './mistake.ts'
import { onModuleUse } from './used-modules.ts'

/**
 * How long running requests may take when the service restarts. Each request has a connection of its own: none is sent
 * on one that is just closed.
 */
const TIMEOUTS = { close: 300, drain: 0, keepAlive: 0 }

/**
 * The process that `quire dev` starts again whenever the site changes. It serves on a free port of this machine, and
 * ends when the channel to its parent does, whatever has become of that.
 */
export const devService = command({
  meta: { name: 'dev-service', description: 'Serve the site for quire dev', hidden: true },
  args: listenOptions,
  async run({ args }) {
    if (process.send === undefined) throw new UsageError('Only quire dev starts this.')
    const onOpen = endWithParent()
    tellUsedModules()
    let site = ''
    try {
      site = siteFile(args.site, process.env)
      const opened = await openService(process.env, {
        site: args.site,
        isNew: args.new === true,
        development: true,
        timeouts: TIMEOUTS,
        log: prettyLog(logLevel(process.env)),
        ...(logsRequests(process.env, true) ? { accessLog: prettyRequest } : {}),
        onOpen,
      })
      tellTemplates(opened.app)
      const listening = await opened.app.listen(0, '127.0.0.1')
      const { port, host } = address(args, process.env)
      const shown = shownAddress(port, host)
      const url = `${shown}${opened.app.site.prefix}/`
      tell({ kind: 'ready', port: Number(new URL(listening).port), url, welcome: await welcomeTo(opened, shown) })
    } catch (error) {
      tell({ kind: 'mistake', message: mistakeIn(error, site, process.cwd()) })
    }
  },
})

function tell(message: FromService): void {
  // With a callback, a parent that has just let go is no failure.
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

/**
 * Closes the service when the parent lets go of it, or is gone; what ends programs at a terminal is the parent's to
 * hear.
 */
function endWithParent(): (app: App) => void {
  const closing: (() => Promise<void>)[] = []
  process.once('disconnect', () => {
    void Promise.allSettled(closing.map((close) => close())).then(() => process.exit())
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tell({ kind: 'interrupted' }))
  return (app) => void closing.push(() => app.close())
}

/** Tells of modules many at a time, and of all before what comes after their import. */
function tellUsedModules(): void {
  let modules: string[] = []
  onModuleUse((file) => {
    modules.push(file)
    if (modules.length > 1) return
    process.nextTick(() => {
      tell({ kind: 'modules', files: modules })
      modules = []
    })
  })
}

function tellTemplates({ site }: App): void {
  const { folder } = site.templates
  if (folder !== null) tell({ kind: 'templates', folder: folder.startsWith('file:') ? fileURLToPath(folder) : folder })
}
