#!/usr/bin/env node
// Plain JavaScript that older versions of Node.js read too: it says which one Quire needs, or starts the command.
import { existsSync, readFileSync } from 'node:fs'

const [major, minor] = process.versions.node.split('.').map(Number)
const KEEP_COMPILED_AFTER_MS = 5000
const PARENT_CHECK_MS = 250
const isNewEnough = major >= 24 || (major === 22 && minor >= 18)
/** Only the repository has it: there, the sources run as they are, by the Node.js that the repository brings. */
const REPOSITORY = new URL('repository.js', import.meta.url)
const repository = existsSync(REPOSITORY) ? await import(REPOSITORY.href) : null

stopWithParent()
if (isNewEnough) await run()
else if (!repository?.startWithPinnedNode(import.meta.url)) refuse()

/** Runs the command in this process. */
async function run() {
  hideWarningsAboutNode()
  if (!process.stdout.isTTY) process.env.NO_COLOR ??= '1'
  const { enableCompileCache, flushCompileCache } = await import('node:module')
  enableCompileCache?.()
  const { main } = repository ? await repository.importSources() : await import('../dist/cli.js')
  await main(process.argv.slice(2))
  // What was compiled is kept when the process ends by itself; a service may be ended from outside.
  setTimeout(() => flushCompileCache?.(), KEEP_COMPILED_AFTER_MS).unref()
}

function refuse() {
  console.error(
    `Quire needs Node.js 24 or newer, or version 22 from 22.18 onwards; this is ${process.versions.node}. Install one from https://nodejs.org.`,
  )
  process.exit(1)
}

/**
 * Between `npm start` and this process there is a shell, which passes no signal on, and a process that was killed passes
 * none either: where one of them started this process, it stops when they have gone. The shell survives npm.
 */
function stopWithParent() {
  if (process.env.npm_lifecycle_event === undefined && process.env.QUIRE_STARTED_BY_QUIRE === undefined) return
  const parent = process.ppid
  const isShell = /^(ba|da|a)?sh$/.test(nameAndParent(parent).name)
  const above = () => (isShell ? nameAndParent(parent).parent : '')
  const first = above()
  const watch = setInterval(() => {
    if (process.ppid === parent && above() === first) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_CHECK_MS)
  watch.unref()
}

/** What Linux says of a process; empty elsewhere. */
function nameAndParent(pid) {
  try {
    const [, name, parent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
    return { name, parent }
  } catch {
    return { name: '', parent: '' }
  }
}

/** SQLite and type stripping are called experimental by versions of Node.js on which Quire is tested. */
function hideWarningsAboutNode() {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    const isKnown = /SQLite is an experimental|Type Stripping is an experimental/.test(String(warning))
    if (!isKnown) emitWarning.call(process, warning, ...rest)
  }
}
