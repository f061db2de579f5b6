import { rm } from 'node:fs/promises'
import { DIST, inPackage } from './paths.ts'

// After `npm pack`: takes away what `build.ts` has made.
for (const path of [DIST, inPackage('LICENSE')]) await rm(path, { recursive: true, force: true })
