import { rm } from 'node:fs/promises'
import { COPIED, DIST, inPackage } from './paths.ts'

// After `npm pack`: takes away what `build.ts` has made.
for (const path of [DIST, ...COPIED.map(inPackage)]) await rm(path, { recursive: true, force: true })
