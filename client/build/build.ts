import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundle } from './bundle.ts'
import { writeDeclarations } from './declarations.ts'
import { DIST, inPackage, inRepository } from './paths.ts'

// `npm run build -w quire-client`: makes what the package consists of. `npm pack` does it by itself.

await rm(DIST, { recursive: true, force: true })
await mkdir(DIST, { recursive: true })
for (const { fileName, code } of await bundle()) await writeFile(join(DIST, fileName), code)
await writeDeclarations()
await copyFile(inRepository('LICENSE'), inPackage('LICENSE'))
