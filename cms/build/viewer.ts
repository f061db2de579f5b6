import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { DIST } from './paths.ts'

const VIEWER = join(DIST, 'viewer')
const FILES = ['swagger-ui-bundle.js', 'swagger-ui.css']
const NOTICE = 'Swagger UI, copyright 2020-2026 SmartBear Software Inc., and the libraries that it contains.'

/**
 * Puts the files of the viewer of `/api/v1/docs`, compressed, where the built package looks for them, with their
 * licence.
 */
export async function copyViewer(): Promise<void> {
  const require = createRequire(import.meta.url)
  await mkdir(VIEWER, { recursive: true })
  for (const name of FILES) {
    const bytes = await readFile(require.resolve(`@fastify/swagger-ui/static/${name}`))
    await writeFile(
      join(VIEWER, `${name}.br`),
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    )
  }
  // The same licence, the one that is installed without anybody's name in it.
  const licence = await readFile(join(require.resolve('typescript/package.json'), '../LICENSE'), 'utf8')
  await writeFile(join(VIEWER, 'LICENSE'), `${NOTICE}\n\n${licence}`)
}
