// What the command does in the repository only; the package does not contain it.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

/** With this condition, `quire-cms` is its sources (package.json, `exports`). */
const CONDITION = 'quire-source'

/** The command, from its sources; what it imports from `quire-cms` comes from them, too. */
export async function importSources() {
  const { registerHooks } = await import('node:module')
  const { importedBy } = await import('../build/library-imports.ts')
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'quire-cms'
        ? next(specifier, { ...context, conditions: [...context.conditions, CONDITION] })
        : next(importedBy(context.parentURL, specifier), context),
  })
  return import('../src/cli/main.ts')
}

/** Runs a program, with the arguments of this one, by the Node.js that `npm ci` has installed; false where it has not. */
export function startWithPinnedNode(program) {
  const node = pinnedNode()
  if (node === null) return false
  // Threads that work on images give memory back: a third less of it while many upload (GNU/Linux).
  const env = { MALLOC_ARENA_MAX: '2', ...process.env, QUIRE_STARTED_BY_QUIRE: '1' }
  const child = spawn(node, [fileURLToPath(program), ...process.argv.slice(2)], { stdio: 'inherit', env })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl-C to both, and a second signal would end the program at once.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
  return true
}

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
