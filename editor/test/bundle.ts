import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** A module beside this one with all that it imports, as a script for a page. */
export async function bundle(name: string): Promise<string> {
  const input = fileURLToPath(new URL(name, import.meta.url))
  const result = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['quire-source', 'module', 'browser', 'production'] },
    build: { write: false, minify: false, target: 'es2024', lib: { entry: input, name: 'bundle', formats: ['iife'] } },
  })
  const [output] = Array.isArray(result) ? result : [result]
  if (!output || !('output' in output)) throw new Error(`There is no script of ${name}.`)
  return output.output[0].code
}
