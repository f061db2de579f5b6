import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { DIST, inRepository } from './paths.ts'

/**
 * Builds the editor, and puts its files where the built package looks for them. Returns the paths of all modules that
 * they are made of.
 */
export async function copyEditor(): Promise<readonly string[]> {
  const root = inRepository('editor')
  const buildWith = (config: string) => build({ root, configFile: join(root, config), logLevel: 'warn' })
  // The second one adds to what the first one has left.
  const built = [await buildWith('vite.config.ts'), await buildWith('vite.inside.config.ts')].flat()
  const dist = join(root, 'dist')
  await cp(dist, join(DIST, 'editor'), { recursive: true, filter: (path) => !path.startsWith(join(dist, '.vite')) })
  return built.flatMap((each) => {
    const files = 'output' in each ? each.output : []
    return files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  })
}
