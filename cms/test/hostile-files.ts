import { HOSTILE_DOCUMENTS } from './hostile-documents.ts'
import type { HostileFile } from './hostile-file.ts'
import { HOSTILE_IMAGES } from './hostile-images.ts'
import { HOSTILE_NAMES } from './hostile-names.ts'
import { HOSTILE_SVGS } from './hostile-svgs.ts'

export type { HostileFile } from './hostile-file.ts'

/** Everything hostile that the tests send, inside the process and over HTTP. */
export const HOSTILE_FILES: readonly HostileFile[] = [
  ...HOSTILE_IMAGES,
  ...HOSTILE_SVGS,
  ...HOSTILE_DOCUMENTS,
  ...HOSTILE_NAMES,
]
