import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { DIST, ENTRIES, inPackage, inRepository } from './paths.ts'

const TSC = inRepository('node_modules/typescript/bin/tsc')
/** `from './other.ts'`, `from 'quire-cms/types'`. */
const IMPORT = /(\bfrom\s*')((?:\.[^']+|quire-cms\/types))(?=')/g
const EMITTED = join(DIST, 'declarations')
const SITE_TYPES = join(EMITTED, 'cms/src/site-types.ts')

/**
 * Writes the declarations of the entries, and of what they name, those of a declared site among it: a program that asks a
 * service needs not have the service installed. The compiler compares them with those of `quire-cms` by their shape.
 */
export async function writeDeclarations(): Promise<void> {
  await promisify(execFile)(process.execPath, [TSC, '-p', inPackage('build/tsconfig.json')])
  const written = new Set<string>()
  const write = async (emitted: string): Promise<void> => {
    if (written.has(emitted)) return
    written.add(emitted)
    const text = await readFile(declarationOf(emitted), 'utf8')
    const target = placeOf(emitted)
    const others = [...text.matchAll(IMPORT)].map(([, , name = '']) => resolved(emitted, name))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(
      target.replace(/\.ts$/, '.d.ts'),
      text.replaceAll(IMPORT, (_, before: string, name: string) => before + address(target, resolved(emitted, name))),
    )
    for (const other of others) await write(other)
  }
  for (const name of ENTRIES) await write(join(EMITTED, `client/src/${name}.ts`))
  await rm(EMITTED, { recursive: true })
}

const declarationOf = (source: string) => source.replace(/\.ts$/, '.d.ts')

function resolved(from: string, name: string): string {
  return name.startsWith('.') ? resolve(dirname(from), name) : SITE_TYPES
}

/** Where a declaration is published. */
function placeOf(emitted: string): string {
  const path = relative(EMITTED, emitted)
  return join(DIST, path.replace(/^client\/src\//, '').replace(/^cms\/src\//, 'site/'))
}

function address(from: string, emitted: string): string {
  const path = relative(dirname(from), placeOf(emitted)).replace(/\.ts$/, '.js')
  return path.startsWith('.') ? path : `./${path}`
}
