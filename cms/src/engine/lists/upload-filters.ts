import { invalid } from '../../base/errors.ts'
import type { UnknownObject } from '../../base/json.ts'
import type { Condition, View } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { assertMay } from '../permissions.ts'
import type { TypeView } from '../view.ts'
import { uploadFilter } from './upload-names.ts'
import { localesUsing, referenceNames } from './uses.ts'

/** The list, and what of its type the caller sees. */
interface UploadList {
  readonly access: TypeView
  readonly view: View
}

/** The conditions of these parameters in a query, by name. */
export function uploadFilters(ctx: Context, list: UploadList, query: UnknownObject): ReadonlyMap<string, Condition> {
  const filters = new Map<string, Condition>()
  for (const [name, value] of Object.entries(query)) {
    const condition = uploadCondition(ctx, list, name, value)
    if (condition !== null) filters.set(name, condition)
  }
  return filters
}

/**
 * The condition of such a parameter; null where it is none, or is about a field that the caller does not see. Throws
 * `invalid`, and for `isUsed` what callers who may not read drafts are refused with.
 */
function uploadCondition(ctx: Context, list: UploadList, name: string, value: unknown): Condition | null {
  const { access, view } = list
  const filter = uploadFilter(ctx.site, access.type, name)
  if (filter === 'isUsed') {
    assertMay(ctx.actor, 'readDraft', access.type)
    return when(isTrue(name, value), {
      kind: 'used',
      references: referenceNames(ctx, localesUsing(ctx, view.locale, []), access.type.name),
    })
  }
  if (filter === 'hasAlt') return access.field('alt') && when(isTrue(name, value), { kind: 'filled', name: 'alt' })
  if (filter === null || access.field('attachment') === null) return null
  if (filter !== 'extension') {
    const side = filter === 'minWidth' ? 'width' : 'height'
    return { kind: 'pixels', name: 'attachment', side, min: pixelsOf(name, value) }
  }
  return { kind: 'extension', name: 'attachment', anyOf: extensionsOf(value) }
}

function when(isWanted: boolean, condition: Condition): Condition {
  return isWanted ? condition : { kind: 'not', of: condition }
}

function isTrue(name: string, value: unknown): boolean {
  if (value === 'true' || value === '1' || value === true) return true
  if (value === 'false' || value === '0' || value === false) return false
  throw invalid(`${name} is true or false.`)
}

function pixelsOf(name: string, value: unknown): number {
  const pixels = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof pixels === 'number' && Number.isSafeInteger(pixels) && pixels >= 0) return pixels
  throw invalid(`${name} takes a whole number of pixels.`)
}

const MOST_EXTENSIONS = 50

function extensionsOf(value: unknown): string[] {
  const texts = [value].flat()
  const isText = (text: unknown): text is string => typeof text === 'string' && text.length <= 20
  if (texts.length <= MOST_EXTENSIONS && texts.every(isText)) return texts.map((text) => text.toLowerCase())
  throw invalid(`extension takes the extension of a file, jpg, or a list of at most ${MOST_EXTENSIONS}.`)
}
