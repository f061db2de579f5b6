import { notFound } from '../../base/errors.ts'
import { turnToBlock } from '../../base/turns.ts'
import type { Context } from '../../engine/context.ts'
import { type AiOf, type Attributed, aiMarksOf } from '../../engine/versions/ai-marks.ts'
import { changesBetween } from '../../engine/versions/changes-of.ts'
import { withContents } from '../../engine/versions/open-contents.ts'
import type { Change } from '../../model/changes/content-change.ts'

/** Changes, and how AI took part in each. */
export interface AttributedChanges {
  readonly changes: readonly Change[]
  readonly aiOf: AiOf
}

/**
 * The changes of what a request covers. Null where there is nothing to compare with; `notfound` for a version whose
 * type the caller may not see.
 */
export async function coveredChanges(ctx: Context, covered: Attributed): Promise<AttributedChanges | null> {
  const { newest, older } = covered
  let changes: Change[] | null = null
  const pair = { newer: newest.content, older: older?.content ?? newest.content }
  await withContents(ctx, [pair], async (contents, open) => {
    await turnToBlock()
    const newer = open(contents.newer)
    if (newer === null) throw notFound()
    const former = older && open(contents.older)
    if (former) changes = changesBetween(ctx, { older: former, newer })
  })
  return changes && { changes, aiOf: await aiMarksOf(ctx, covered, changes) }
}
