import { copyFile, cp, rm } from 'node:fs/promises'
import { bundle } from './bundle.ts'
import { writeDeclarations } from './declarations.ts'
import { copyEditor } from './editor.ts'
import { writeLicences } from './licences.ts'
import { COPIED, DEPLOY, DIST, inPackage, inRepository } from './paths.ts'
import { copyViewer } from './viewer.ts'

// `npm run build -w quire-cms`: builds the package, next to its sources. `npm pack` does it by itself.
await rm(DIST, { recursive: true, force: true })
const [modules] = await Promise.all([bundle(), writeDeclarations()])
await writeLicences([...modules, ...(await copyEditor())])
await copyViewer()
await cp(inRepository('deploy'), DEPLOY, { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
for (const name of COPIED) await copyFile(inRepository(name), inPackage(name))
