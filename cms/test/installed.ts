import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Ended, Variables } from './command.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** The package as `npm pack` makes it. */
export interface Packed {
  /** The path of the tarball. */
  readonly tarball: string
  /** The paths of the files in it. */
  readonly files: readonly string[]
}

/**
 * Packs workspaces in a fresh copy of the repository below a folder: of what is there, and would be committed, no more.
 * They come in their order.
 */
export async function packAll(workspaces: readonly string[], below: string): Promise<Packed[]> {
  const copy = join(below, 'clone')
  await mkdir(copy)
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, maxBuffer: 2 ** 26 })
  const needed = stdout
    .split('\n')
    .filter((file) => /^(cms|diff|client|editor|create|example|deploy)\/|^[^/]+$/.test(file) && file !== '')
  for (const file of needed) await cp(join(ROOT, file), join(copy, file))
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const named = workspaces.flatMap((workspace) => ['-w', workspace])
  const packing = await npm(copy, ['pack', ...named, '--json', '--pack-destination', below])
  // What the build prints comes first.
  const packages: NpmPacked[] = JSON.parse(packing.slice(packing.search(/^\[$/m)))
  return workspaces.flatMap((workspace) => {
    const ofIt = packages.filter(({ name }) => name === workspace)
    return ofIt.map(({ filename, files }) => ({
      tarball: join(below, filename),
      files: files.map(({ path }) => path),
    }))
  })
}

interface NpmPacked {
  readonly name: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

/** Packs one workspace. */
export async function pack(workspace: string, below: string): Promise<Packed> {
  const [packed] = await packAll([workspace], below)
  if (!packed) throw new Error(`npm packed nothing of ${workspace}.`)
  return packed
}

/** Puts what is in a tarball where it would be installed in a folder. */
export async function unpack(tarball: string, folder: string, name: string): Promise<string> {
  const own = join(folder, 'node_modules', name)
  await mkdir(own, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', own, '--strip-components=1'])
  return own
}

/** Installs a tarball in a folder, with what its `dependencies` name, as it is installed in the repository. */
export async function installCopies(tarball: string, folder: string, also: readonly string[] = []): Promise<void> {
  const modules = join(folder, 'node_modules')
  const own = await unpack(tarball, folder, 'quire-cms')
  const copied = new Set<string>()
  const copyAll = async (names: readonly string[]): Promise<void> => {
    for (const name of names.filter((each) => !copied.has(each))) {
      const source = join(ROOT, 'node_modules', name)
      if (!(await isFolder(source))) continue
      copied.add(name)
      await cp(source, join(modules, name), { recursive: true })
      await copyAll(await neededBy(source))
    }
  }
  await copyAll([...(await neededBy(own)), ...also])
  await mkdir(join(modules, '.bin'), { recursive: true })
  await symlink('../quire-cms/bin/quire.js', join(modules, '.bin/quire'))
}

async function neededBy(folder: string): Promise<string[]> {
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  return Object.keys({ ...dependencies, ...optionalDependencies })
}

/** How many packages are installed in a folder, and how many bytes their files have. */
export async function weight(folder: string): Promise<{ packages: number; bytes: number }> {
  const modules = join(folder, 'node_modules')
  const paths = (await readdir(modules, { recursive: true })).map((name) => join(modules, name))
  const packages = paths.filter((path) => /node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
  let bytes = 0
  for (const path of paths) {
    const found = await stat(path)
    if (found.isFile()) bytes += found.size
  }
  return { packages: packages.length, bytes }
}

/** A folder in which the package is installed. */
export interface Installed {
  node(args: readonly string[], variables?: Variables): Promise<Ended>
  quire(args: readonly string[], variables?: Variables): Promise<Ended>
  /** Serves its site on a free port. */
  serve(): Promise<ServedSite>
}

/** The service of an installed package. */
export interface ServedSite {
  readonly address: string
  /** Milliseconds from the beginning of the command to its first answer. */
  readonly firstAnswer: number
  /** Asks it to stop; its exit code. */
  stop(): Promise<number | null>
}

/** Runs this Node.js in a folder until it ends. */
export function runNode(folder: string, args: readonly string[], variables: Variables = {}): Promise<Ended> {
  const options = { cwd: folder, env: { ...ownVariables(), ...variables } }
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, err })
    })
  })
}

/** Runs what is installed in a folder. */
export function openInstalled(folder: string): Installed {
  const command = join(folder, 'node_modules/.bin/quire')
  const node = (args: readonly string[], variables?: Variables) => runNode(folder, args, variables)
  return {
    node,
    quire: (args, variables) => node([command, ...args], variables),
    serve: async () => {
      const started = performance.now()
      const child = spawn(process.execPath, [command, 'serve', '--port', '0'], { cwd: folder, env: ownVariables() })
      const ended = once(child, 'exit') as Promise<[number | null]>
      const address = await addressOf(child)
      await (await fetch(`${address}/api/v1/health`)).text()
      const stop = async () => {
        child.kill('SIGTERM')
        return (await ended)[0]
      }
      return { address, firstAnswer: performance.now() - started, stop }
    },
  }
}

/** The address that the command prints. */
function addressOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    const read = (part: Buffer) => {
      printed += part
      const [address] = /http:\/\/localhost:\d+/.exec(printed) ?? []
      if (address !== undefined) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', (code) => reject(new Error(`The service ended with ${code}: ${printed}`)))
  })
}

/** Runs npm in a folder; what it prints. */
export async function npm(folder: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('npm', ['--loglevel=error', ...args], {
    cwd: folder,
    maxBuffer: 2 ** 26,
    env: ownVariables(),
  })
  return stdout
}

/**
 * The environment without what changes the service, and what npm has set for a script that runs these tests. What was
 * compiled before is used again, and the machine's certificates are trusted.
 */
function ownVariables(): NodeJS.ProcessEnv {
  const changing = /^(QUIRE_|npm_|NODE_(?!(?:COMPILE_CACHE|EXTRA_CA_CERTS)$)|PORT$|HOST$)/
  const others = Object.entries(process.env).filter(([name]) => !changing.test(name))
  return { ...Object.fromEntries(others), NO_COLOR: '1' }
}

/** Writes files into a folder, by their paths in it. */
export async function writeAll(folder: string, files: Readonly<Record<string, string | object>>): Promise<void> {
  for (const [path, content] of Object.entries(files))
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false
}
