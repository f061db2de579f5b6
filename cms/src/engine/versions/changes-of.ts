import { compareContents } from '../../model/changes/compare-contents.ts'
import { type Ai, type Change, type ChangeRow, type Counts, countChanges } from '../../model/changes/content-change.ts'
import { referencesOf } from '../../model/changes/references-of.ts'
import { comparedSize, rowOf } from '../../model/changes/row-of.ts'
import type { Content } from '../../model/declared/types.ts'
import type { Context } from '../context.ts'
import type { CopyScope } from '../view.ts'
import { namesFor } from './look-up-names.ts'
import { WordBudget } from './word-budget.ts'

/** Two contents as the caller sees them now (`seenContent`). */
export interface Compared {
  readonly older: Content | null
  readonly newer: Content | null
}

/** The changes of a version as they are answered (§4.4). */
export interface ListedChanges {
  readonly rows: readonly ChangeRow[]
  readonly counts: Counts & { readonly ai: number }
}

/** What has changed between two contents; nothing where the caller may not see the type of one of them. */
export function changesBetween({ site }: Pick<Context, 'site'>, { older, newer }: Compared): Change[] {
  return older && newer ? compareContents(site, older, newer) : []
}

/**
 * The rows of changes of a document in a locale (§2.5). What they name is looked up in the same locale and mode, in two
 * statements at most. Where the texts are very long in all, some of them are not compared by words.
 */
export async function listChanges(
  ctx: Context,
  from: CopyScope,
  changes: readonly Change[],
  aiOf: (change: Change) => Ai = () => false,
): Promise<ListedChanges> {
  const names = await namesFor(ctx, from, referencesOf(changes))
  const rows: ChangeRow[] = []
  const budget = new WordBudget()
  for (const change of changes) {
    const comparesWords = await budget.spend(comparedSize(change))
    rows.push(rowOf(change, names, aiOf(change), { comparesWords }))
  }
  return { rows, counts: { ...countChanges(changes), ai: rows.filter(({ ai }) => ai !== false).length } }
}
