import { readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { ILoader, LoaderSource } from 'nunjucks'
import { isTemplateFile } from '../../../model/declared/template.ts'
import { outerLayouts } from './outer-layouts.ts'

/** The files of a folder as Nunjucks reads them: by names below it, whatever links lead elsewhere. */
export class TemplateFolder implements ILoader {
  readonly #folder: string
  readonly #noCache: boolean

  constructor(folder: string, { isCached }: { readonly isCached: boolean }) {
    this.#folder = folder
    this.#noCache = !isCached
  }

  /** True when there is a file of that name. */
  has(name: string): boolean {
    return this.#pathOf(name) !== null
  }

  /** A file's text; null when there is none of that name. Called by Nunjucks. */
  getSource(name: string): LoaderSource {
    const own = outerLayouts.get(name)
    if (own !== undefined) return { src: own, path: name, noCache: false }
    const path = this.#pathOf(name)
    // `as`: the declared type leaves out that null stands for no such file.
    if (path === null) return null as unknown as LoaderSource
    return { src: readFileSync(path, 'utf8'), path: name, noCache: this.#noCache }
  }

  #pathOf(name: string): string | null {
    if (!isTemplateFile(name)) return null
    try {
      const path = realpathSync(join(this.#folder, name))
      return path.startsWith(realpathSync(this.#folder) + sep) ? path : null
    } catch {
      return null
    }
  }
}
