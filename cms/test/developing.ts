import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export const COMMAND = fileURLToPath(new URL('../bin/quire.js', import.meta.url))
const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const PATIENCE_MS = 50_000

/** The folder of a site, as people have it. */
export interface SiteFolder {
  readonly path: string
  write(name: string, text: string): Promise<void>
}

/**
 * Calls what it is given when what was made is no longer needed: at the end of the test, by default.
 */
type AtEnd = (close: () => Promise<void>) => void

/** Makes a folder with these files, in which `quire-cms` is installed. */
export async function siteFolder(
  files: Readonly<Record<string, string>>,
  atEnd: AtEnd = onTestFinished,
): Promise<SiteFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'quire-site-')))
  atEnd(() => rm(path, { recursive: true, force: true }))
  await symlink(NODE_MODULES, join(path, 'node_modules'))
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), text)
  }
  for (const [name, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files }))
    await write(name, text)
  return { path, write }
}

/** `quire dev`, or another command, in a process of its own. */
export interface Developing {
  readonly process: ChildProcess
  /** Everything it has said so far. */
  readonly said: string
  readonly address: string
  /** Waits until the text is said, below what earlier calls waited for. */
  says(text: string): Promise<void>
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts a command in a folder. */
export function startIn(
  folder: SiteFolder,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  atEnd: AtEnd = onTestFinished,
): Developing {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: folder.path,
    env: { ...env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  atEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  })
  let said = ''
  let seen = 0
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  return {
    process: child,
    get said() {
      return said
    },
    get address() {
      return /(?:served at |"address":")(http:\/\/[^\s/"]+)/.exec(said)?.[1] ?? ''
    },
    async says(text) {
      for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
        const at = said.indexOf(text, seen)
        if (at >= 0) {
          seen = at + text.length
          return
        }
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      throw new Error(`It does not say “${text}” but:\n${said}`)
    },
    async end(signal) {
      child.kill(signal)
      return (await ended)[0]
    },
  }
}
