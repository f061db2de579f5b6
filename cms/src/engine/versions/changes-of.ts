import { invalid } from '../../base/errors.ts'
import { inTurns, pauses } from '../../base/turns.ts'
import { compareContents } from '../../model/changes/compare-contents.ts'
import { type Ai, type Change, type ChangeRow, type Counts, countChanges } from '../../model/changes/content-change.ts'
import type { Names } from '../../model/changes/format-change-row.ts'
import { referencesOf } from '../../model/changes/references-of.ts'
import {
  type ComparedWords,
  compareByFormat,
  compareByWords,
  comparedTexts,
  notCompared,
  rowOf,
} from '../../model/changes/row-of.ts'
import type { Content } from '../../model/declared/types.ts'
import type { Document } from '../../model/terms/document.ts'
import type { Locale } from '../../model/terms/document-id.ts'
import type { Context } from '../context.ts'
import { seenLocales, seesLocale } from '../permissions.ts'
import { seenContent } from '../values/seen-content.ts'
import type { CopyScope } from '../view.ts'
import { ComparisonBudget, oneAtATime } from './comparisons.ts'
import { namesFor } from './look-up-names.ts'

/** Two contents as the caller sees them now (`seenContent`). */
interface Compared {
  readonly older: Content | null
  readonly newer: Content | null
}

/** The changes of a version as they are answered (§4.4). */
export interface ListedChanges {
  readonly rows: readonly ChangeRow[]
  readonly counts: Counts & { readonly ai: number }
}

/** Where there is nothing to compare with. */
export const NO_CHANGES: ListedChanges = { rows: [], counts: { added: 0, modified: 0, deleted: 0, ai: 0 } }

/** Lists the changes between two contents; none when the caller may not see the type of one of them. */
export async function changesBetween(
  { site }: Pick<Context, 'site'>,
  { older, newer }: Compared,
): Promise<readonly Change[]> {
  const found = older && newer ? await inTurns(compareContents(site, older, newer)) : null
  return found?.result ?? []
}

/**
 * The rows of changes of a document in a locale (§2.5). What they name is looked up in the same locale and mode, in two
 * statements at most. Where comparing their texts is too much work in all, some of them are compared by their formatting
 * only, or not at all.
 */
export async function listChanges(
  ctx: Context,
  from: CopyScope,
  changes: readonly Change[],
  aiOf: (change: Change) => Ai = () => false,
): Promise<ListedChanges> {
  const names = await namesFor(ctx, from, referencesOf(changes))
  const rows: ChangeRow[] = []
  const budgets = { words: new ComparisonBudget(), formats: new ComparisonBudget() }
  const pause = pauses()
  for (const change of changes) {
    rows.push(rowOf(change, names, aiOf(change), await wordsOf(change, names, budgets)))
    await pause()
  }
  return { rows, counts: { ...countChanges(changes), ai: rows.filter(({ ai }) => ai !== false).length } }
}

/** How much may still be compared by words, and of the rest by its formatting. */
interface Budgets {
  readonly words: ComparisonBudget
  readonly formats: ComparisonBudget
}

async function wordsOf(change: Change, names: Names, { words, formats }: Budgets): Promise<ComparedWords | null> {
  const texts = comparedTexts(change, names)
  if (texts === null) return null
  const of = (how: string) => ({ purpose: `${how} ${texts.kind} ${texts.type}`, ...texts })
  return (
    (await words.spend(of('words'), () => compareByWords(texts))) ??
    (await formats.spend(of('formats'), () => compareByFormat(texts))) ??
    notCompared(texts)
  )
}

/** The changes in another locale since a document was saved (§4.5). */
interface ComparedLocale {
  readonly locale: Locale
  readonly since: string
  readonly rows: readonly ChangeRow[]
}

function comparedLocale(ctx: Context, name: string): Locale {
  if (seesLocale(ctx, name)) return name
  throw invalid(`compare must be one of ${seenLocales(ctx).join(', ')}.`)
}

/**
 * Compares another locale with its state when this copy was saved, by its versions; only what the caller sees. Null
 * when the document is not in that locale. The caller must be allowed to edit it. Throws `invalid` for unknown locales.
 */
export async function compareLocale(
  ctx: Context,
  document: Pick<Document, 'id' | 'updatedAt'>,
  compared: string,
): Promise<ComparedLocale | null> {
  const locale = comparedLocale(ctx, compared)
  const { id, updatedAt: since } = document
  const now = await ctx.store.documents.get({ ...id, locale })
  const newer = now && seenContent(ctx, now.type, now.fields)
  if (!newer) return null
  const found = await ctx.store.versions.newestUntil(id.docId, locale, { until: since, mode: id.mode })
  const older = found && seenContent(ctx, found.version.type, found.content)
  return oneAtATime(ctx, async () => {
    const changes = await changesBetween(ctx, { older: older ?? nothing(newer), newer })
    const { rows } = await listChanges(ctx, { locale, mode: id.mode }, changes)
    return { locale, since, rows }
  })
}

/** Where nothing is known of that time, everything is new. */
function nothing({ type }: Content): Content {
  return { type, fields: {} }
}
