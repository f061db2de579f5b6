import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CmsError } from '../src/base/errors.ts'
import { inspect } from '../src/images/inspect.ts'
import { makeSizes } from '../src/images/sizes.ts'
import { HOSTILE_FILES } from './hostile-files.ts'

const AT_ONCE = 16
const folder = await mkdtemp(join(tmpdir(), 'quire-hostile-'))
const left = HOSTILE_FILES.entries()
let refused = 0
let kept = 0

async function uploadThoseLeft(): Promise<void> {
  for (const [index, file] of left) {
    const path = join(folder, String(index))
    await writeFile(path, await file.bytes())
    try {
      await makeSizes(path, await inspect(path, file.name))
      kept += 1
    } catch (error) {
      if (!(error instanceof CmsError)) throw error
      refused += 1
    }
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, uploadThoseLeft))
await rm(folder, { recursive: true })
process.stdout.write(JSON.stringify({ refused, kept, megabytes: process.resourceUsage().maxRSS / 1024 }))
