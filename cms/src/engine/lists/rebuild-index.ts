import { DocumentId } from '../../model/terms/document.ts'
import type { Context } from '../context.ts'
import { markIndexFresh } from '../values/declared-content.ts'
import { reindex } from './reindex.ts'

/**
 * Rebuilds the index, whose field declarations have changed, before any request is answered. With many documents the
 * start then takes a minute; each tenth is logged.
 */
export async function rebuildIndex(operator: Context): Promise<void> {
  operator.log.info({}, 'Field declarations have changed: rebuilding the index. The service starts when it is done.')
  let tenths = 0
  const { count, taken } = await reindex(operator, (done, total) => {
    const now = Math.floor((10 * done) / total)
    if (now === tenths || done === total) return
    tenths = now
    operator.log.info({ done, total }, 'Rebuilding the index.')
  })
  await markIndexFresh(operator.store)
  if (taken.length > 0) {
    const documents = taken.map(({ id, name }) => ({ _id: DocumentId.format(id), field: name }))
    operator.log.warn({ documents }, 'Documents share unique values with others: give them values of their own.')
  }
  operator.log.info({ count }, 'The index was rebuilt.')
}
