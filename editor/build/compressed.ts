import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(?:js|css|svg|json)$/
/** The highest level saves a few percent more, but takes several times as long. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }

/** Puts `.br` and `.gz` beside each file of a folder of a build that gets shorter by them, as the service looks for them. */
export function compressed(folder: string): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle: async ({ dir = 'dist' }) => {
      const files = join(dir, folder)
      const names = (await readdir(files)).filter((name) => COMPRESSIBLE.test(name))
      await Promise.all(names.map((name) => compress(join(files, name))))
    },
  }
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  const br = await promisify(brotliCompress)(bytes, BROTLI)
  const gz = await promisify(gzip)(bytes, { level: 9 })
  if (br.length < bytes.length) await writeFile(`${path}.br`, br)
  if (gz.length < bytes.length) await writeFile(`${path}.gz`, gz)
}
