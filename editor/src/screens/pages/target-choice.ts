import { t } from '../../words/words.ts'
import type { PageRow } from './page-row.ts'

/** A page that was chosen as a target. */
export interface Choice {
  readonly docId: string
  readonly title: string
}

/** The name that all options of a picker share. */
export interface OptionGroup {
  readonly name: string
  readonly chosenId: string | null
  readonly onChoose: (choice: Choice) => void
}

/** Why a page is no target; null where it may be one. */
export function reasonOf(moving: PageRow | null, docId: string, ancestors: readonly string[]): string | null {
  if (moving === null) return null
  if (docId === moving.aposDocId) return t.tree.isItself
  return ancestors.includes(moving.aposDocId) ? t.tree.isBelowItself : null
}
