import { isBuiltin } from 'node:module'
import { type Plugin, rolldown } from 'rolldown'
import { importedBy } from './library-imports.ts'
import { DIST, inPackage } from './paths.ts'

/** The modules that a program can begin with: the public interface, and the command. */
const ENTRIES = { index: inPackage('src/index.ts'), cli: inPackage('src/cli/main.ts') }
/** Packages that stay outside: native code, and those that not every service needs. */
const EXTERNAL = ['@aws-sdk/client-s3', '@opentelemetry/api', '@node-rs/argon2', 'sharp']
/** Libraries ask for these where they are installed. */
const OPTIONAL = ['chokidar', 'pg-cloudflare', 'pg-native']
/** With what they import, all that every service loads. */
const SERVICE = ['index.ts', 'cli/serve-command.ts'].map((name) => inPackage(`src/${name}`))

/**
 * Bundles the sources and the libraries into few files, since opening hundreds of modules takes most of a start: one
 * for all that every start needs, and others for what is loaded late. Returns the paths of all modules that were
 * bundled.
 */
export async function bundle(): Promise<readonly string[]> {
  const build = await rolldown({
    input: ENTRIES,
    cwd: inPackage('.'),
    platform: 'node',
    external: (id, importer) => isExternal(id) && importedBy(importer, id) === id,
    transform: { target: 'node22' },
    checks: { ineffectiveDynamicImport: false },
    plugins: [requiredLate(), unmappedLibraries(), leanLibraries()],
  })
  const { output } = await build.write({
    dir: DIST,
    format: 'esm',
    // Stack traces name our lines; the lines themselves would be a third of the package.
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: { jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: [{ name: 'service', test: (id) => SERVICE.includes(id) }] },
  })
  const chunks = output.filter((file) => file.type === 'chunk')
  assertKnown(chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]))
  return chunks.flatMap(({ moduleIds }) => moduleIds)
}

/** Throws for packages that were not found: they are left as imports, which fail where the package is installed. */
function assertKnown(imports: readonly string[]): void {
  const unknown = imports.filter((id) => !id.endsWith('.js') && !isExternal(id))
  if (unknown.length > 0) throw new Error(`These packages were not found: ${unknown.join(', ')}`)
}

function isExternal(id: string): boolean {
  return isBuiltin(id) || EXTERNAL.includes(id) || OPTIONAL.includes(id)
}

/** Source maps describe our own sources; those of the libraries are not worth their weight. */
function unmappedLibraries(): Plugin {
  return {
    name: 'unmapped-libraries',
    transform: {
      filter: { id: /[\\/]node_modules[\\/]/ },
      handler: (code) => ({ code, map: { mappings: '' } }),
    },
  }
}

/** Libraries get nothing at the start that Quire does not need there. */
function leanLibraries(): Plugin {
  return {
    name: 'lean-libraries',
    resolveId(id, importer) {
      const instead = importedBy(importer, id)
      return instead === id ? null : this.resolve(instead, importer, { skipSelf: true })
    },
  }
}

const HTML_LIBRARIES = inPackage('src/model/values/html-libraries.ts')
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
