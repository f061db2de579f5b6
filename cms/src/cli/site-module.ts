import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { App } from '../app.ts'
import { isObject } from '../base/json.ts'
import type { SiteDeclaration } from '../model/site-options.ts'
import type { Environment } from './environment.ts'
import { Mistake } from './failure.ts'

/** Fills an empty database, and reports how far it is. */
export type Seed = (app: App, report: (done: number, total: number) => void) => Promise<void>

/** What a site module gives: the site, and perhaps the content of its first start. */
export interface SiteModule {
  readonly site: SiteDeclaration
  readonly seed: Seed | null
}

const USUAL_NAMES = ['site.ts', 'site.js', 'site.mjs']

/** The option of every command that needs the site. */
export const siteOption = {
  site: {
    type: 'string',
    description: 'The module of the site (QUIRE_SITE; default site.ts or site.js here)',
    valueHint: 'file',
  },
} as const

/** Imports the site module: its default export, or the one named `site`. What is thrown inside it comes through. */
export async function loadSite(option: string | undefined, env: Environment): Promise<SiteModule> {
  const path = siteFile(option ?? env.QUIRE_SITE)
  const module: unknown = await importModule(path)
  const exported = isObject(module) || typeof module === 'object' ? { ...module } : {}
  // `as`: nothing is known of what a module exports.
  const { default: byDefault, site = byDefault, seed } = exported as { readonly [name: string]: unknown }
  if (!isDeclaration(site)) {
    throw new Mistake(`${path} must export what defineSite gives, by default or under the name “site”.`)
  }
  return { site, seed: isSeed(seed) ? seed : null }
}

/** A module that cannot be read is the author's mistake; what its code throws keeps its stack. */
async function importModule(path: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    const isNotFound = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (isNotFound) throw new Mistake(error.message)
    if (error instanceof SyntaxError) throw new Mistake(error.stack?.replace(/\n +at [\s\S]*/, '') ?? error.message)
    throw error
  }
}

function siteFile(given: string | undefined): string {
  if (given === undefined || given === '') {
    const found = USUAL_NAMES.find((name) => existsSync(name))
    if (found !== undefined) return resolve(found)
    throw new Mistake('There is no site.ts or site.js in this folder. Name the module of your site with --site.')
  }
  if (existsSync(given)) return resolve(given)
  throw new Mistake(`There is no file ${given}. Name the module of your site with --site.`)
}

function isDeclaration(value: unknown): value is SiteDeclaration {
  return isObject(value) && value.kind === 'site' && isObject(value.options)
}

function isSeed(value: unknown): value is Seed {
  return typeof value === 'function'
}
