import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasCode } from '../../base/thrown.ts'
import type { Encoding } from '../../http/pipeline/compression.ts'

/** A file of the editor, as it is sent. */
export interface BuiltFile {
  readonly bytes: Buffer
  readonly type: string
  /** How the bytes are compressed; null where they are not. */
  readonly encoding: Encoding | null
}

/** The types of files that are sent; there are no others. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** The endings of the compressed files that the build puts next to others. */
const ENDINGS = { br: '.br', gzip: '.gz' } as const

/** Names as the build makes them: one step, which begins with a letter or a digit, `_` or `-`. */
const NAME = /^[\w-][\w.-]{0,200}$/

/** The page of the editor as it was built; null where it is not. */
export async function readPage(): Promise<string | null> {
  return (await read('index.html'))?.toString() ?? null
}

/** Reads a file below `assets/`, in this encoding if it has that; null where there is none of this name. */
export async function readAsset(name: string, encoding: Encoding | null): Promise<BuiltFile | null> {
  return NAME.test(name) ? await readFileOf('assets', name, encoding) : null
}

/** Reads the script in the pages of drafts; null where it is not built. */
export async function readInside(encoding: Encoding | null): Promise<BuiltFile | null> {
  return await readFileOf('inside', 'inside.js', encoding)
}

async function readFileOf(folder: string, name: string, encoding: Encoding | null): Promise<BuiltFile | null> {
  const type = TYPES[extname(name)]
  if (type === undefined) return null
  const path = `${folder}/${name}`
  const compressed = encoding === null ? null : await read(`${path}${ENDINGS[encoding]}`)
  if (compressed !== null) return { bytes: compressed, type, encoding }
  const bytes = await read(path)
  return bytes === null ? null : { bytes, type, encoding: null }
}

async function read(name: string): Promise<Buffer | null> {
  try {
    return await readFile(new URL(name, folder()))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

/** Next to this module in the package, else where the repository builds it. */
function folder(): URL {
  const inPackage = new URL('editor/', import.meta.url)
  return existsSync(fileURLToPath(inPackage)) ? inPackage : new URL('../../../../editor/dist/', import.meta.url)
}
