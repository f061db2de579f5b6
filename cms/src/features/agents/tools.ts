import { describeSite, describeType } from './describing.ts'
import { find, readTree } from './find-documents.ts'
import { changes, history } from './past.ts'
import { proposalState, propose } from './proposing.ts'
import { read } from './reading.ts'
import type { Tool } from './tool.ts'
import { translateMissing } from './translating.ts'
import { upload } from './uploading.ts'
import { writeDraft } from './writing.ts'

/** All tools, the same on every site. None publishes, archives, deletes, moves, or touches users, keys and settings. */
export const TOOLS: readonly Tool[] = [
  describeSite,
  describeType,
  find,
  read,
  readTree,
  history,
  changes,
  writeDraft,
  propose,
  proposalState,
  upload,
  translateMissing,
]

/** The tools by their names. */
export const TOOLS_BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]))
