import { counted } from '../../base/text.ts'
import type { Context } from '../../engine/context.ts'
import { checkIndexRows } from '../../engine/lists/check-index-rows.ts'
import { DocumentId } from '../../model/terms/document.ts'
import type { Findings } from './finding.ts'

/** How many copies are compared where not all are. */
const SAMPLE = 1000
const MOST_NAMED = 5

/** Whether lists find documents by what these say: of a sample, or of all. */
export async function checkIndex(
  found: Findings,
  ctx: Pick<Context, 'site' | 'store'>,
  isWhole: boolean,
): Promise<void> {
  const { checked, wrong } = await checkIndexRows(ctx, isWhole ? 'all' : SAMPLE)
  const of = `${counted(checked, 'copy', 'copies')} of documents`
  if (wrong.length === 0) {
    const rest = isWhole || checked < SAMPLE ? '' : ' To compare all: quire doctor --all'
    return found.ok(`The index agrees with ${of}.${rest}`)
  }
  const named = wrong.slice(0, MOST_NAMED).map(({ type, id }) => `${type} ${DocumentId.format(id)}`)
  const more = wrong.length > MOST_NAMED ? ', …' : ''
  found.fail(
    `The index does not agree with ${wrong.length} of ${of}: ${named.join(', ')}${more}. Lists and filters miss them.`,
    'Run: quire reindex',
  )
}
