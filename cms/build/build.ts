import { copyFile, rm } from 'node:fs/promises'
import { bundle } from './bundle.ts'
import { writeDeclarations } from './declarations.ts'
import { writeLicences } from './licences.ts'
import { COPIED, DIST, inPackage, inRepository } from './paths.ts'
import { copyViewer } from './viewer.ts'

// `npm run build -w quire-cms`: makes what the package consists of, beside its sources. `npm pack` does it by itself.
await rm(DIST, { recursive: true, force: true })
const [modules] = await Promise.all([bundle(), writeDeclarations()])
await writeLicences(modules)
await copyViewer()
for (const name of COPIED) await copyFile(inRepository(name), inPackage(name))
