#!/usr/bin/env node
// Plain JavaScript that older versions of Node read too: it finds a Node that runs Quire, and starts it.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
const KEEP_COMPILED_AFTER_MS = 5000
const PARENT_CHECK_MS = 250
const isNewEnough = major > 22 || (major === 22 && minor >= 18)

stopWithParent()
if (isNewEnough) await run()
else await startWith(pinnedNode())

/** Runs the command in this process. */
async function run() {
  hideWarningsAboutNode()
  if (!process.stdout.isTTY) process.env.NO_COLOR ??= '1'
  const { enableCompileCache, flushCompileCache } = await import('node:module')
  enableCompileCache?.()
  const { main } = await import('../src/cli/main.ts')
  await main(process.argv.slice(2))
  // What was compiled is kept when the process ends by itself; a service may be ended from outside.
  setTimeout(() => flushCompileCache?.(), KEEP_COMPILED_AFTER_MS).unref()
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

/** SQLite and type stripping are called experimental by versions of Node on which Quire is tested. */
function hideWarningsAboutNode() {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    const isKnown = /SQLite is an experimental|Type Stripping is an experimental/.test(String(warning))
    if (!isKnown) emitWarning.call(process, warning, ...rest)
  }
}

/** The Node that is installed beside Quire as a package, or null. */
function pinnedNode() {
  const require = createRequire(import.meta.url)
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  for (const name of [`node-${platform}`, `node-bin-${platform}`]) {
    try {
      const { bin } = require(`${name}/package.json`)
      return require.resolve(`${name}/${bin.node}`)
    } catch {
      // Not installed: the other name, or none.
    }
  }
  return null
}

async function startWith(node) {
  if (node === null) {
    console.error(
      `Quire needs Node.js 22.18 or newer, and this is ${process.versions.node}. Install a newer one from https://nodejs.org.`,
    )
    process.exit(1)
  }
  const { spawn } = await import('node:child_process')
  // Threads that work on images give memory back: a third less of it while many upload (GNU/Linux).
  const env = { MALLOC_ARENA_MAX: '2', ...process.env, QUIRE_STARTED_BY_QUIRE: '1' }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
}
