import { fileURLToPath } from 'node:url'

/** The path of a file in the folder of the package. */
export const inPackage = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))
/** The path of a file in the repository. */
export const inRepository = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** The folder of the built package. */
export const DIST = inPackage('dist')
/** The files for `quire deploy init`, in the package. */
export const DEPLOY = inPackage('dist/deploy')
/** Files of the repository that the package has a copy of. */
export const COPIED: readonly string[] = ['LICENSE', 'CHANGELOG.md']
