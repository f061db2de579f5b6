import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { DIST, inPackage, inRepository } from './paths.ts'

const TSC = inRepository('node_modules/typescript/bin/tsc')
/** `from './other.ts'`, `import('./other.ts')`, `module './other.ts'`. */
const RELATIVE = /(\b(?:from|import|module)\s*\(?\s*['"])(\.[^'"]+)\.ts(?=['"])/g
/** The modules that programs import: `quire-cms`, and `quire-cms/types`, which needs no Node.js. */
const INDEX = join(DIST, 'index.d.ts')
const ENTRIES = [INDEX, join(DIST, 'site-types.d.ts')]
/**
 * Compilers load no types by themselves: the declarations of Node.js come with ours, whatever a site's settings say.
 */
const NODE_TYPES = '/// <reference types="node" />\n'

/** Writes the declarations of the public interface, and of what they name. */
export async function writeDeclarations(): Promise<void> {
  await promisify(execFile)(process.execPath, [TSC, '-p', inPackage('build/tsconfig.json')])
  const needed = new Set<string>()
  const follow = async (file: string): Promise<void> => {
    if (needed.has(file)) return
    needed.add(file)
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replaceAll(RELATIVE, '$1$2.js'))
    for (const [, , other = ''] of text.matchAll(RELATIVE)) await follow(`${resolve(dirname(file), other)}.d.ts`)
  }
  for (const entry of ENTRIES) await follow(entry)
  await writeFile(INDEX, NODE_TYPES + (await readFile(INDEX, 'utf8')))
  const all = await readdir(DIST, { recursive: true })
  const files = all.filter((name) => name.endsWith('.d.ts')).map((name) => join(DIST, name))
  for (const file of files) if (!needed.has(file)) await rm(file)
}
