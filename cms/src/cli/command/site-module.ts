import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isObject } from '../../base/json.ts'
import { hasCode } from '../../base/thrown.ts'
import type { SiteDeclaration } from '../../model/compile/site-options.ts'
import type { App } from '../../service.ts'
import type { Environment } from './environment.ts'
import { UsageError } from './failure.ts'

/** Fills an empty database and reports its progress. */
export type Seed = (app: App, onProgress: (done: number, total: number) => void) => Promise<void>

/** Under this name, which stands among those of jobs, processes wait for the one that seeds. */
export const FIRST_CONTENT = 'first content'

/** The exports of a site module: the site, and optionally a seed for the first start. */
interface SiteModule {
  readonly site: SiteDeclaration
  readonly seed: Seed | null
}

const USUAL_NAMES = ['site.ts', 'site.js', 'site.mjs']

/** The `--site` option of commands that need the site. */
export const siteOption = {
  site: {
    type: 'string',
    description: 'The module of the site (QUIRE_SITE; default site.ts or site.js here)',
    valueHint: 'file',
  },
} as const

/** The options of commands that listen. */
export const listenOptions = {
  ...siteOption,
  port: {
    type: 'string',
    description: 'The port to listen on (PORT; default 3000, 0 for any free one)',
    valueHint: 'number',
  },
  host: { type: 'string', description: 'The address to listen on (HOST; default localhost)', valueHint: 'name' },
  new: { type: 'boolean', description: 'Begin with an empty database even though there are uploads' },
} as const

/** Imports the site module and takes its export `site` or default export. Errors thrown inside it pass through. */
export async function loadSite(option: string | undefined, env: Environment): Promise<SiteModule> {
  const path = siteFile(option, env)
  const module: unknown = await importModule(path)
  const exported = isObject(module) || typeof module === 'object' ? { ...module } : {}
  // `as`: the exports of a module are unknown.
  const { default: byDefault, site = byDefault, seed } = exported as { readonly [name: string]: unknown }
  if (!isDeclaration(site)) {
    throw new UsageError(`${path} must export the result of defineSite, as default or under the name “site”.`)
  }
  return { site, seed: isSeed(seed) ? seed : null }
}

const NO_MODULE = ['ERR_MODULE_NOT_FOUND', 'ERR_UNKNOWN_FILE_EXTENSION', 'ERR_UNSUPPORTED_DIR_IMPORT']

/** A module that cannot be loaded is a usage error; what its code throws keeps its stack. */
async function importModule(path: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    if (hasCode(error, ...NO_MODULE)) throw new UsageError(`${error.message}${extensionHint(error)}`)
    if (error instanceof SyntaxError) throw new UsageError(error.stack?.replace(/\n +at [\s\S]*/, '') ?? error.message)
    throw error
  }
}

/** Compilers and bundlers find modules without their extension, Node.js does not. */
function extensionHint(error: Error): string {
  const { url } = error as { readonly url?: string }
  const path = url?.startsWith('file:') ? fileURLToPath(url) : ''
  const extension = ['.ts', '.js'].find((extension) => path !== '' && existsSync(path + extension))
  return extension === undefined ? '' : `. Imports need the extension: ${basename(path)}${extension}`
}

/** The path of the site module. */
export function siteFile(option: string | undefined, env: Environment): string {
  const found = findSite(option, env)
  if (found !== null) return found
  throw new UsageError('There is no site.ts or site.js in this folder. Name the module of your site with --site.')
}

/** The path of the site module; null where none is named and none is in this folder. */
export function findSite(option: string | undefined, env: Environment): string | null {
  const given = option ?? env.QUIRE_SITE
  if (given === undefined || given === '') {
    const found = USUAL_NAMES.find((name) => existsSync(name))
    return found === undefined ? null : resolve(found)
  }
  if (existsSync(given)) {
    if (statSync(given).isFile()) return resolve(given)
    throw new UsageError(`${given} is not a file. Name the module of your site with --site.`)
  }
  throw new UsageError(`There is no file ${given}. Name the module of your site with --site.`)
}

function isDeclaration(value: unknown): value is SiteDeclaration {
  return isObject(value) && value.kind === 'site' && isObject(value.options)
}

function isSeed(value: unknown): value is Seed {
  return typeof value === 'function'
}
