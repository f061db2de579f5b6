import { registerHooks } from 'node:module'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OWN_FOLDER } from '../../base/own-folder.ts'
import { ConfigurationError } from '../../model/terms/configuration-error.ts'
import type { App } from '../../service.ts'
import { command } from '../command/command.ts'
import { address, logsRequests } from '../command/environment.ts'
import { explain, UsageError } from '../command/failure.ts'
import { logLevel } from '../command/json-log.ts'
import { prettyLog, prettyRequest } from '../command/pretty-log.ts'
import { listenOptions, siteFile } from '../command/site-module.ts'
import { openService, shownAddress, welcomeTo } from '../serve/open-service.ts'
import type { FromService } from './development.ts'

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
    const sendModules = sendUsedModules()
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
      sendTemplates(opened.app)
      const listening = await opened.app.listen(0, '127.0.0.1')
      const { port, host } = address(args, process.env)
      const shown = shownAddress(port, host)
      const url = `${shown}${opened.app.site.prefix}/`
      send({ kind: 'ready', port: Number(new URL(listening).port), url, welcome: await welcomeTo(opened, shown) })
    } catch (error) {
      sendModules()
      send({ kind: 'mistake', message: mistakeIn(error, site, process.cwd()) })
    }
  },
})

function send(message: FromService): void {
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
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => send({ kind: 'interrupted' }))
  return (app) => void closing.push(() => app.close())
}

/** Reports loaded modules many at a time. Returns a function that reports the last ones at once, before a mistake that may be in them. */
function sendUsedModules(): () => void {
  let modules: string[] = []
  const flush = () => {
    if (modules.length > 0) send({ kind: 'modules', files: modules })
    modules = []
  }
  onModuleUse((file) => {
    modules.push(file)
    if (modules.length === 1) process.nextTick(flush)
  })
  return flush
}

function sendTemplates({ site }: App): void {
  const { folder } = site.templates
  if (folder !== null) send({ kind: 'templates', folder: folder.startsWith('file:') ? fileURLToPath(folder) : folder })
}

/** Why a site cannot be served, for its author: the mistake, and the line of a file of the site. */
function mistakeIn(error: unknown, siteFile: string, folder: string): string {
  const explained = explain(error)
  const known = error instanceof ConfigurationError ? `${siteFile}: ${explained}` : explained
  if (known !== null) return withShortPaths(known, folder)
  if (!(error instanceof Error)) return String(error)
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line))
  const own = frames.filter(
    (line) => /file:|\//.test(line) && !/node:|\/node_modules\//.test(line) && !line.includes(OWN_FOLDER),
  )
  const lines = [`${error.name}: ${error.message}`, ...(own.length > 0 ? own : frames)]
  return withShortPaths(lines.join('\n'), folder)
}

/** Paths as one would type them in the folder. */
function withShortPaths(text: string, folder: string): string {
  const urls = /file:\/\/[^\s)]+?(?=:\d|[\s)]|$)/g
  return text.replace(urls, (url) => relative(folder, fileURLToPath(url))).replaceAll(folder + sep, '')
}

/**
 * Calls `onUse` with the file of each module that this process imports from now on, except for installed packages. A
 * file that is not there counts, too: it may come.
 */
function onModuleUse(onUse: (file: string) => void): void {
  const known = new Set<string>()
  const note = (url: string) => {
    if (!url.startsWith('file:') || known.has(url) || /\/node_modules\//.test(url)) return
    known.add(url)
    onUse(fileURLToPath(url))
  }
  registerHooks({
    resolve(specifier, context, next) {
      try {
        const found = next(specifier, context)
        note(found.url)
        return found
      } catch (error) {
        if (/^\.{0,2}\//.test(specifier)) note(new URL(specifier, context.parentURL).href)
        throw error
      }
    },
  })
}
