import nunjucks, { type Environment } from 'nunjucks'
import { json, safeUrl } from '../../../base/html.ts'
import type { DrawnFile, FileValues, Scene } from '../../context.ts'
import type { FileError } from '../file-error.ts'
import { TemplateError } from '../template-error.ts'
import { AreaTag } from './area-tag.ts'
import { formatDate, withQuery } from './filters.ts'
import { locateErrors } from './locate-errors.ts'
import { TemplateFolder } from './template-folder.ts'

/** Draws with the template files of one folder. */
export interface DrawsFiles {
  draw(file: string, values: FileValues): DrawnFile
  /** What is wrong with a file, in a sentence; null when it can be drawn with. */
  mistakeIn(file: string): string | null
}

/** Opens a folder of Nunjucks templates: everything is escaped, and nothing outside of the folder is read. */
export function openFolder(folder: string, { isDevelopment }: { readonly isDevelopment: boolean }): DrawsFiles {
  const files = new TemplateFolder(folder, { isCached: !isDevelopment })
  const environment = new nunjucks.Environment(files, { autoescape: true })
  let located: FileError | null = null
  locateErrors(environment, (error) => {
    located ??= error
  })
  environment.addExtension('area', new AreaTag())
  addFilters(environment)
  return {
    mistakeIn(file) {
      if (!files.has(file)) return `there is no file "${file}" in the folder of templates`
      try {
        environment.getTemplate(file, true)
        return null
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    },
    draw(file, { data, scene, outer = 'document' }) {
      let drawn: DrawnFile['outer'] = null
      let inner: TemplateError | null = null
      const guarded = guard((error) => {
        inner ??= error
      })
      located = null
      const names = {
        ...functionsOf(scene, guarded),
        data: { ...data, outerLayout: `quire/${outer}.njk` },
        scene,
        outerIs(name: 'document' | 'region') {
          drawn = name
          return ''
        },
      }
      try {
        const text = environment.render(file, names)
        return { text, outer: drawn }
      } catch (error) {
        // Nunjucks makes errors of its own of those that it meets: what failed inside says more.
        throw inner ?? located ?? error
      }
    },
  }
}

type Guard = <Given extends unknown[]>(
  work: (...given: Given) => { readonly text: string },
) => (...given: Given) => unknown

/** What is drawn inside of a file is not escaped again; its failures are told to `failed`. */
function guard(failed: (error: TemplateError) => void): Guard {
  return (work) =>
    (...given) => {
      try {
        return new nunjucks.runtime.SafeString(work(...given).text)
      } catch (error) {
        if (error instanceof TemplateError) failed(error)
        throw error
      }
    }
}

/** What files can call. */
function functionsOf(scene: Scene, guarded: Guard) {
  return {
    area: guarded(scene.area),
    widget: guarded(scene.widget),
    slot: guarded(scene.slot),
    attachmentUrl: scene.attachmentUrl,
    srcset: scene.srcset,
    focalPoint: scene.focalPoint,
  }
}

function addFilters(environment: Environment): void {
  environment.addFilter('json', (value: unknown) => new nunjucks.runtime.SafeString(json(value).text))
  environment.addFilter('url', (value: unknown) => safeUrl(String(value ?? '')))
  environment.addFilter('query', withQuery)
  // `this` of a filter is the template's context.
  environment.addFilter('date', function (this: { ctx?: { scene?: Scene } }, value: unknown, style?: unknown) {
    return formatDate(value, style, this.ctx?.scene?.locale ?? 'en')
  })
}
