import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporaryFolder } from '../cms/test/temporary-folder.ts'
import { startProgram } from './children.ts'
import type { Loading, Samples } from './samples.ts'

/** A database with the sample content, of one run alone. */
export interface Loaded {
  readonly database: string
  readonly uploads: string
  readonly samples: Samples
  readonly loading: Loading
  remove(): Promise<void>
}

const CACHE = join(tmpdir(), 'quire-bench-databases')
/** What the content of a loaded database depends on, in a checkout of the repository. */
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
/** Larger files are not copied: what is measured on them changes little. */
const COPIED_BYTES = 8e9

/**
 * A database of `size` articles, made by the service of the checkout `root`. It is loaded once for as long as
 * migrations and content stay the same, unless `isFresh`, and copied for each run.
 */
export async function loadedDatabase(root: string, size: number, isFresh: boolean): Promise<Loaded> {
  const cached = join(CACHE, `${await digest(root)}-${size}`)
  const isThere = await stat(cached).then(
    () => true,
    () => false,
  )
  if (!isThere || isFresh) await fill(root, cached, size)
  // `as`: written by `fill`.
  const { samples, loading } = JSON.parse(await readFile(join(cached, 'samples.json'), 'utf8')) as Content
  const uploads = join(cached, 'uploads')
  const file = join(cached, 'bench.db')
  if ((await stat(file)).size > COPIED_BYTES) {
    return { database: `sqlite:${file}`, uploads, samples, loading, remove: async () => {} }
  }
  const folder = await temporaryFolder('quire-bench')
  await copyFile(file, join(folder, 'bench.db'), constants.COPYFILE_FICLONE)
  const remove = () => rm(folder, { recursive: true, force: true })
  return { database: `sqlite:${join(folder, 'bench.db')}`, uploads, samples, loading, remove }
}

interface Content {
  readonly samples: Samples
  readonly loading: Loading
}

/** Loads beside the place, and puts it there when it is whole. */
async function fill(root: string, cached: string, size: number): Promise<void> {
  console.error(`Loading ${size} articles …`)
  const folder = `${cached}-${process.pid}`
  await mkdir(folder, { recursive: true })
  const database = `sqlite:${join(folder, 'bench.db')}`
  const settings = { database, uploads: join(folder, 'uploads'), size, pages: PAGES }
  const loader = await startProgram(join(root, 'bench/load.ts'), { args: [JSON.stringify(settings)] })
  const content = await loader.ask({}).finally(() => loader.stop())
  await writeFile(join(folder, 'samples.json'), JSON.stringify(content))
  await rm(cached, { recursive: true, force: true })
  await rename(folder, cached)
}

async function digest(root: string): Promise<string> {
  const hash = createHash('sha1')
  for (const source of SOURCES) {
    const path = join(root, source)
    const files = (await stat(path)).isDirectory() ? (await readdir(path)).map((name) => join(path, name)) : [path]
    for (const file of files.sort()) hash.update(file.slice(root.length)).update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 12)
}
