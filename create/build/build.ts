import { copyFile, cp, mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'rolldown'
import { DIST, inPackage, inRepository } from './paths.ts'

// `npm run build -w create-quire`: makes what the package consists of. `npm pack` does it by itself.

/** Of the example's folder, what belongs to the repository only. */
const NOT_OF_THE_SITE = /^(package\.json|command\.ts|.*\.test\.ts)$/

await rm(DIST, { recursive: true, force: true })
await build({
  input: inPackage('src/main.ts'),
  platform: 'node',
  transform: { target: 'node22' },
  output: { dir: DIST, format: 'esm', comments: { jsdoc: false } },
})
const templates = join(DIST, 'templates')
await mkdir(templates)
// The example is the magazine: it is kept once.
const ofTheSite = (path: string) => !NOT_OF_THE_SITE.test(basename(path))
await cp(inRepository('example'), join(templates, 'magazine'), { recursive: true, filter: ofTheSite })
await cp(inPackage('templates'), templates, { recursive: true })
await copyFile(inRepository('LICENSE'), inPackage('LICENSE'))
