import nunjucks from 'nunjucks'
import { Html } from '../../base/html.ts'
import type { DrawnFile, FileValues } from '../context.ts'

/** Draws with the files of a folder. */
export type DrawFile = (file: string, values: FileValues) => DrawnFile

/** Opens a folder of Nunjucks templates. */
export function openFolder(path: string, { isDevelopment }: { readonly isDevelopment: boolean }): DrawFile {
  const loader = new nunjucks.FileSystemLoader(path, { noCache: isDevelopment })
  const environment = new nunjucks.Environment(loader, { autoescape: true, throwOnUndefined: false })
  environment.addFilter('safeHtml', (value: unknown) => (value instanceof Html ? safe(value.text) : value))
  return (file, { data, scene }) => {
    const area = (one: Parameters<typeof scene.area>[0]) => safe(scene.area(one).text)
    return { text: environment.render(file, { data, scene, area }), outer: null }
  }
}

function safe(text: string): nunjucks.runtime.SafeString {
  return new nunjucks.runtime.SafeString(text)
}
