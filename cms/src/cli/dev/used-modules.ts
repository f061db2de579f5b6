import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Calls `onUse` with the file of each module that this process imports from now on, except for installed packages. A
 * file that is not there counts, too: it may come.
 */
export function onModuleUse(onUse: (file: string) => void): void {
  const known = new Set<string>()
  const note = (url: string) => {
    if (!url.startsWith('file:') || known.has(url) || /\/node_modules\//.test(url)) return
    known.add(url)
    onUse(fileURLToPath(url))
  }
  registerHooks({
    resolve(specifier, context, next) {
      try {
        const found = next(specifier, context)
        note(found.url)
        return found
      } catch (error) {
        if (/^\.{0,2}\//.test(specifier)) note(new URL(specifier, context.parentURL).href)
        throw error
      }
    },
  })
}
