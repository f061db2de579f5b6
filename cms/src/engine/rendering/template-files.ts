import { fileURLToPath } from 'node:url'
import { filePathOf, templatesOf } from '../../model/declared/template.ts'
import type { Site } from '../../model/declared/types.ts'
import { ConfigurationError } from '../../model/terms/configuration-error.ts'
import type { TemplateFiles } from '../context.ts'

/**
 * Opens the site's template files. The library that renders them is loaded only if there are any. Throws
 * `ConfigurationError` when files that the site names are not there, or cannot be read as templates.
 */
export async function openTemplates(
  site: Site,
  { isDevelopment }: { readonly isDevelopment: boolean },
): Promise<TemplateFiles> {
  const files = await openFiles(site, isDevelopment)
  const seen = new Set<string>()
  return {
    isDevelopment,
    render(file, values) {
      if (files === null) throw new TypeError(`The site has no folder of templates for "${file}".`)
      return files.render(file, values)
    },
    isFirst(key) {
      const isFirst = !seen.has(key)
      seen.add(key)
      return isFirst
    },
  }
}

async function openFiles(site: Site, isDevelopment: boolean) {
  const { folder } = site.templates
  const named = templatesOf(site).flatMap((template) =>
    template.source.kind === 'file' ? [{ path: filePathOf(template), file: template.source.file }] : [],
  )
  if (folder === null || named.length === 0) return null
  const { NunjucksFiles } = await import('./nunjucks/nunjucks-environment.ts')
  const files = new NunjucksFiles(folder.startsWith('file:') ? fileURLToPath(folder) : folder, { isDevelopment })
  const problems = named.flatMap(({ path, file }) => {
    const message = files.mistakeIn(file)
    return message === null ? [] : [{ path, message }]
  })
  // While a site is written, a mistake in one file is shown where that file is rendered.
  if (problems.length > 0 && !isDevelopment) throw new ConfigurationError(problems)
  return files
}
