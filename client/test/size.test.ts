import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import { inPackage } from '../build/paths.ts'

const KB = 1024

/** Bytes of what a browser loads for a program, compressed. */
async function sizeOf(program: string): Promise<number> {
  const build = await rolldown({
    input: 'program',
    platform: 'browser',
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? id : null),
        load: (id) => (id === 'program' ? program : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  return output.reduce((sum, file) => sum + (file.type === 'chunk' ? gzipSync(file.code, { level: 9 }).length : 0), 0)
}

const exported = (names: string, entry: string) =>
  `export ${names} from ${JSON.stringify(inPackage(`src/${entry}.ts`))};`

describe('client: size', () => {
  test('editor §14 the core has at most 3 KB, and all entries 8 KB', async () => {
    expect(await sizeOf(exported('{ createClient, isProblem }', 'index'))).toBeLessThanOrEqual(3 * KB)
    const all = ['index', 'media', 'versions', 'xliff'].map((entry) => exported('*', entry)).join('')
    expect(await sizeOf(all)).toBeLessThanOrEqual(8 * KB)
  })
})
