import { invalid } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import { lengthOf } from '../../base/text.ts'
import type { Context } from '../../engine/context.ts'
import { findEditableVersion } from '../../engine/versions/editable.ts'
import { coveredBy } from '../../engine/versions/timeline.ts'
import { write } from '../../engine/write.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import { recordsOf } from './records.ts'
import { versionId } from './version-parameters.ts'

const MAX_LENGTH = 200
/** Control characters, line ends, and marks that change the direction of what follows. */
const UNSHOWN = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u

/** Names a version, or takes its name away (§4.4); the answer is its record. */
export async function labelVersion(ctx: Context, { params, body }: RouteRequest): Promise<object> {
  const id = versionId(params.versionId)
  const { version } = await findEditableVersion(ctx, id)
  const label = labelIn(body)
  await write(ctx, ({ tx }) => tx.versions.label(id, label))
  const covered = await coveredBy(ctx.store.versions, { ...version, label }, { consolidate: false })
  const [record = {}] = await recordsOf(ctx, [covered])
  return record
}

function labelIn(body: RouteRequest['body']): string | null {
  const label = own(body, 'label')
  if (label === null) return null
  if (typeof label !== 'string') throw invalid('Send label: a text, or null to take it away.')
  const text = label.trim()
  if (UNSHOWN.test(text) || !text.isWellFormed())
    throw invalid('A label is one line of text, without control characters.')
  if (lengthOf(text) > MAX_LENGTH) throw invalid(`A label has at most ${MAX_LENGTH} characters.`)
  return text === '' ? null : text
}
