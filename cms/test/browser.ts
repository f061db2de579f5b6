import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))
const MACHINES_OWN = ['chromium', 'chromium-browser', 'google-chrome']
const UNPACK = `import('@sparticuz/chromium').then((all) => all.default.executablePath())`

/** A browser, and what it needs of its environment. */
interface Program {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * Starts a real Chromium without a window: the one that QUIRE_TEST_BROWSER names, else the one of the package
 * `@sparticuz/chromium` (Linux, x64), else the machine's. Where there is none, this fails and says what to do.
 */
export async function openBrowser(): Promise<Browser> {
  const { executablePath, env } = await findProgram()
  return await chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none'],
  })
}

async function findProgram(): Promise<Program> {
  const named = process.env.QUIRE_TEST_BROWSER
  if (named) return { executablePath: named, env: {} }
  if (process.platform === 'linux' && process.arch === 'x64') return await packaged()
  for (const name of MACHINES_OWN) {
    const path = pathOf(name)
    if (path) return { executablePath: path, env: {} }
  }
  throw new Error('There is no Chromium on this machine. Install one, or name its program in QUIRE_TEST_BROWSER.')
}

function pathOf(name: string): string {
  try {
    return execFileSync('which', [name], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return ''
  }
}

/** The package's browser with the libraries and fonts that come with it, unpacked once for each version. */
async function packaged(): Promise<Program> {
  const manifest = join(createRequire(import.meta.url).resolve('@sparticuz/chromium'), '../../package.json')
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const folder = join(CACHE, `chromium-${version}`)
  if (!existsSync(folder)) await unpack(folder)
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  }
}

/**
 * The package unpacks itself into the temporary directory, which here is a new folder: other processes may be at it.
 */
async function unpack(folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  const staging = await mkdtemp(`${folder}-`)
  // The package brings its libraries when it believes to be where these are missing.
  const env = { ...process.env, TMPDIR: staging, AWS_LAMBDA_JS_RUNTIME: '22.x' }
  await promisify(execFile)(process.execPath, ['-e', UNPACK], { cwd: CACHE, env })
  await writeFile(join(staging, 'fonts.conf'), fontsOf(folder))
  await rename(staging, folder).catch(async (error) => {
    await rm(staging, { recursive: true })
    if (!existsSync(folder)) throw error
  })
}

function fontsOf(folder: string): string {
  const places = [join(folder, 'fonts'), '/usr/share/fonts'].map((place) => `<dir>${place}</dir>`).join('')
  const cache = `<cachedir>${join(folder, 'font-cache')}</cachedir>`
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${places}${cache}</fontconfig>`
}
