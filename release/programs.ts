import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { npm, pack } from '../cms/test/installed.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SITE = fileURLToPath(new URL('./site.ts', import.meta.url))
const run = promisify(execFile)

/** An installed release, as a site has it: the paths of its command and of the site. */
export interface Program {
  readonly command: string
  readonly site: string
}

/** Packs what is in the repository, and installs it in a new folder below another one. */
export async function presentRelease(below: string): Promise<Program> {
  const folder = join(below, 'present')
  await mkdir(folder)
  return install((await pack('quire-cms', folder)).tarball, folder)
}

/** Installs a former release: a tarball, or a commit, branch or tag of the repository, which is built as it was then. */
export async function formerRelease(name: string, below: string): Promise<Program> {
  const folder = join(below, 'former')
  await mkdir(folder)
  return install(name.endsWith('.tgz') ? resolve(name) : await packCommit(name, folder), folder)
}

/** The tag of the last release. Throws where there is none. */
export async function lastRelease(): Promise<string> {
  try {
    const { stdout } = await run('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD'], { cwd: ROOT })
    return stdout.trim()
  } catch {
    throw new Error(
      'There is no tag of a release (v1.2.3). Name what is to be checked against: --before COMMIT or FILE.tgz',
    )
  }
}

async function packCommit(name: string, folder: string): Promise<string> {
  const sources = join(folder, 'sources')
  await run('git', ['clone', '--quiet', '--no-checkout', ROOT, sources])
  const { stdout } = await run('git', ['rev-parse', '--verify', `${name}^{commit}`], { cwd: ROOT })
  await run('git', ['checkout', '--quiet', '--detach', stdout.trim()], { cwd: sources })
  await npm(sources, ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'])
  await npm(sources, ['pack', '-w', 'quire-cms', '--pack-destination', folder])
  const { version } = JSON.parse((await run('git', ['show', 'HEAD:cms/package.json'], { cwd: sources })).stdout)
  return join(folder, `quire-cms-${version}.tgz`)
}

async function install(tarball: string, folder: string): Promise<Program> {
  const home = join(folder, 'site')
  await mkdir(home)
  await writeFile(join(home, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await npm(home, ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball])
  await cp(SITE, join(home, 'site.ts'))
  return { command: join(home, 'node_modules/quire-cms/bin/quire.js'), site: join(home, 'site.ts') }
}

/** Runs a command of an installed release in the folder of its site: its exit code, and what it printed. */
export async function runProgram(
  { command, site }: Program,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const env = { ...process.env, ...environment, NO_COLOR: '1' }
  const child = spawn(process.execPath, [command, ...args], { cwd: dirname(site), env, stdio: 'pipe' })
  let printed = ''
  for (const output of [child.stdout, child.stderr])
    output.on('data', (part: Buffer) => {
      printed += part
    })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, printed }
}
