import { fileURLToPath } from 'node:url'

/** The path of a file in the folder of the package. */
export const inPackage = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))
/** The path of a file in the repository. */
export const inRepository = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** The folder that the build writes. */
export const DIST = inPackage('dist')
/** The modules that programs import: `quire-client`, `quire-client/media`, `quire-client/versions`, `quire-client/xliff`. */
export const ENTRIES: readonly string[] = ['index', 'media', 'versions', 'xliff']
