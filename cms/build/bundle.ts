import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { type Plugin, rolldown } from 'rolldown'
import { DIST, inPackage } from './paths.ts'

/** What a program can begin with: the public interface, and the command. */
const ENTRIES = { index: inPackage('src/index.ts'), cli: inPackage('src/cli/main.ts') }

/**
 * Bundles the sources, and the libraries that nobody else needs to know of (`devDependencies`), into few files: opening
 * hundreds of modules takes most of a start. What is loaded late stays in files of its own. Returns the paths of all
 * modules that were bundled.
 */
export async function bundle(): Promise<readonly string[]> {
  const build = await rolldown({
    input: ENTRIES,
    cwd: inPackage('.'),
    platform: 'node',
    external: isExternal(),
    transform: { target: 'node22' },
    plugins: [requiredLate()],
  })
  const { output } = await build.write({
    dir: DIST,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

/** Says of what an import names whether it is found only where the package is installed. */
function isExternal(): (id: string) => boolean {
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'))
  const names = Object.keys({ ...dependencies, ...peerDependencies })
  // pg asks for these where they are installed; nunjucks for chokidar.
  const optional = ['pg-native', 'pg-cloudflare', 'chokidar']
  return (id) => isBuiltin(id) || [...names, ...optional].some((name) => id === name || id.startsWith(`${name}/`))
}

const HTML_LIBRARIES = inPackage('src/model/html-libraries.ts')
const LIBRARY = '\0library:'

/** The libraries that `html-libraries.ts` requires within a call get files of their own, which it requires instead. */
function requiredLate(): Plugin {
  return {
    name: 'required-late',
    transform: {
      filter: { id: HTML_LIBRARIES },
      handler(code) {
        const requiring = code.replaceAll(/require\('([^']+)'\)/g, (_, library: string) => {
          this.emitFile({ type: 'chunk', id: LIBRARY + library, fileName: `${library}.js` })
          return `require('./${library}.js')`
        })
        // All stands in its old line.
        return { code: requiring, map: null }
      },
    },
    resolveId: { filter: { id: new RegExp(`^${LIBRARY}`) }, handler: (id) => id },
    load: {
      filter: { id: new RegExp(`^${LIBRARY}`) },
      handler: (id) => {
        const library = JSON.stringify(id.slice(LIBRARY.length))
        // The name that `require` looks for.
        return `import * as all from ${library}
          const whole = Reflect.get(all, 'default') ?? all
          export { whole as 'module.exports' }`
      },
    },
  }
}
