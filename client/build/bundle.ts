import { type OutputChunk, rolldown } from 'rolldown'
import { ENTRIES, inPackage } from './paths.ts'

/** The entries as they are published: what they share is in files of its own. */
export async function bundle(): Promise<readonly OutputChunk[]> {
  const build = await rolldown({
    input: Object.fromEntries(ENTRIES.map((name) => [name, inPackage(`src/${name}.ts`)])),
    platform: 'neutral',
    transform: { target: 'es2023' },
  })
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared-[hash].js',
    comments: { jsdoc: false },
  })
  await build.close()
  return output.filter((file) => file.type === 'chunk')
}
