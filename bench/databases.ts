import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { startPostgres } from '../cms/test/postgres-server.ts'
import { temporaryFolder } from '../cms/test/temporary-folder.ts'
import { startProgram } from './children.ts'
import type { Loading, Samples } from './samples.ts'

export type Kind = 'sqlite' | 'postgres'

/** A database that can be loaded. */
export interface DatabaseChoice {
  /** The folder of the repository whose service loads it. */
  readonly root: string
  readonly kind: Kind
  /** How many articles. */
  readonly size: number
}

/** A database with the sample content, of one run alone. */
export interface Loaded extends Content {
  readonly database: string
  readonly uploads: string
  remove(): Promise<void>
}

interface Content {
  readonly samples: Samples
  readonly loading: Loading
}

const CACHE = join(tmpdir(), 'quire-bench-databases')
/** The sources that the content of a loaded database depends on, in a checkout of the repository. */
const SOURCES = [
  'cms/src/store/migrations',
  'bench/site.ts',
  'bench/content.ts',
  'bench/tree.ts',
  'bench/load.ts',
  'conformance/prose.ts',
  'conformance/seed.ts',
]
const PAGES = 10_000
/** Larger files are not copied: the reads that are measured on them change little. */
const COPIED_BYTES = 8e9

/**
 * Loads a database, unless it was loaded since migrations and content have changed; `isFresh` loads it again. Returns
 * the folder that `openLoaded` takes it from.
 */
export async function ensureLoaded(choice: DatabaseChoice, isFresh: boolean): Promise<string> {
  const cached = await cacheOf(choice)
  const isThere = await stat(cached).then(
    () => true,
    () => false,
  )
  if (!isThere || isFresh) await load(choice, cached)
  return cached
}

/** A copy of a database that was loaded. */
export async function openLoaded(kind: Kind, cached: string): Promise<Loaded> {
  // `as`: written by `load`.
  const content = JSON.parse(await readFile(join(cached, 'samples.json'), 'utf8')) as Content
  const uploads = join(cached, 'uploads')
  if (kind === 'postgres') {
    const server = await startPostgres({}, join(cached, 'postgres'))
    return { ...content, uploads, database: server.url, remove: () => server.stop() }
  }
  const file = join(cached, 'bench.db')
  if ((await stat(file)).size > COPIED_BYTES) {
    return { ...content, uploads, database: `sqlite:${file}`, remove: async () => {} }
  }
  const folder = await temporaryFolder('quire-bench')
  await copyFile(file, join(folder, 'bench.db'), constants.COPYFILE_FICLONE)
  const remove = () => rm(folder, { recursive: true, force: true })
  return { ...content, uploads, database: `sqlite:${join(folder, 'bench.db')}`, remove }
}

/** Loads into a folder of its own, and renames that when it is whole. */
async function load({ root, kind, size }: DatabaseChoice, cached: string): Promise<void> {
  console.error(`Loading ${size} articles into ${kind} …`)
  const folder = `${cached}-${process.pid}`
  await mkdir(folder, { recursive: true })
  const server = kind === 'postgres' ? await startPostgres() : null
  const database = server?.url ?? `sqlite:${join(folder, 'bench.db')}`
  const settings = { database, uploads: join(folder, 'uploads'), size, pages: PAGES }
  const loader = await startProgram(join(root, 'bench/load.ts'), { args: [JSON.stringify(settings)] })
  const content = await loader.ask({}).finally(() => loader.stop())
  await server?.moveTo(join(folder, 'postgres'))
  await writeFile(join(folder, 'samples.json'), JSON.stringify(content))
  await rm(cached, { recursive: true, force: true })
  await rename(folder, cached)
}

async function cacheOf({ root, kind, size }: DatabaseChoice): Promise<string> {
  const hash = createHash('sha1')
  for (const source of SOURCES) {
    const path = join(root, source)
    const files = (await stat(path)).isDirectory() ? (await readdir(path)).map((name) => join(path, name)) : [path]
    for (const file of files.sort()) hash.update(relative(root, file)).update(await readFile(file))
  }
  return join(CACHE, `${hash.digest('hex').slice(0, 12)}-${kind}-${size}`)
}
