import { fileURLToPath } from 'node:url'
import type { Site } from '../../model/types.ts'
import type { TemplateFiles } from '../context.ts'

/** Opens the site's template files. The library that draws them is loaded only if there are any. */
export async function openTemplates(
  site: Site,
  { isDevelopment }: { readonly isDevelopment: boolean },
): Promise<TemplateFiles> {
  const { folder } = site.templates
  const path = folder === null ? null : folder.startsWith('file:') ? fileURLToPath(folder) : folder
  const files = path === null ? null : (await import('./nunjucks.ts')).openFolder(path, { isDevelopment })
  const seen = new Set<string>()
  return {
    isDevelopment,
    draw(file, values) {
      if (files === null) throw new TypeError(`"${file}" needs a folder of templates: defineSite({ templates })`)
      return files(file, values)
    },
    isFirst(key) {
      const isFirst = !seen.has(key)
      seen.add(key)
      return isFirst
    },
  }
}
