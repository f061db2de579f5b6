import { invalid, notFound } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { isObject, type JsonObject, own } from '../base/json.ts'
import type { Document, Locale, Mode } from '../model/document.ts'
import { storedValue, walk } from '../model/schema.ts'
import type { Type } from '../model/types.ts'
import { clean } from './clean.ts'
import type { WriteContext } from './context.ts'
import { recordedMode, writtenModes } from './copies.ts'
import { docIdOf } from './locate.ts'
import { outsideForm } from './outside-form.ts'
import { assertMay, may } from './permissions.ts'
import { save } from './save.ts'
import { slugOf, withPrefix } from './slug.ts'
import { isAiWritten, isAutosave } from './write-options.ts'

/** Where a new document goes. */
export interface Birth {
  readonly type: Type
  readonly locale: Locale
  readonly mode: Mode
}

/**
 * Makes a new document from an outside body (§4.1 POST), with the fields of another one as defaults when the body names
 * it in `_copyingId`. Answers the copy that was asked for.
 */
export async function insert(
  ctx: WriteContext,
  { type, locale, mode }: Birth,
  body: { readonly [name: string]: unknown },
  docId: string = newId(),
): Promise<Document> {
  assertMay(ctx.actor, mode === 'draft' ? 'createDraft' : 'createPublished', type)
  const copied = await copiedValues(ctx, type, locale, mode, own(body, '_copyingId'))
  const [read = {}] = await clean(ctx, type, [{ values: { ...copied?.values, ...body }, before: null, required: null }])
  const isGiven = typeof body.slug === 'string' && read.slug !== ''
  const slug = isGiven ? withPrefix(type, String(read.slug)) : slugOf(type, String(read.title))
  const archived = read.archived === true && may(ctx.actor, 'archive', type)
  const origin = copied ? { copyOfId: copied.id } : {}
  const fields: JsonObject = { ...read, slug, archived, ...origin }
  const modes = writtenModes(ctx, type, mode)
  const after = await save(ctx, {
    operation: 'insert',
    type,
    docId,
    locale,
    before: { draft: null, published: null },
    fields: Object.fromEntries(modes.map((one) => [one, fields])),
    madeSlug: !isGiven,
    version: recordedMode(modes),
    ai: isAiWritten(ctx, body),
    restoredFrom: null,
    autosave: isAutosave(body),
    copyOfId: copied?.id ?? null,
  })
  const document = after[mode] ?? after.draft
  if (document === null) throw new Error('A new document has no copy.')
  return document
}

async function copiedValues(
  ctx: WriteContext,
  type: Type,
  locale: Locale,
  mode: Mode,
  copyingId: unknown,
): Promise<{ id: string; values: JsonObject } | null> {
  if (copyingId === undefined || copyingId === null || copyingId === '') return null
  if (typeof copyingId !== 'string') throw invalid('_copyingId must be the _id of a document of this type.')
  const copies = await ctx.tx.documents.copies(docIdOf(copyingId) ?? '', locale)
  const source = copies[mode] ?? copies.draft ?? copies.published
  if (source === null || source.type !== type.name) throw notFound('There is no such document to copy.')
  const { slug: _slug, archived: _archived, ...values } = outsideForm(type.fields, withoutIds(type, source.fields))
  return { id: copyingId, values }
}

/** A copy's areas, widgets and items are new ones. */
function withoutIds(type: Type, fields: JsonObject): JsonObject {
  const { copyOfId: _origin, ...copy } = structuredClone(fields)
  for (const { field, values } of walk(type.fields, copy)) {
    if (!field.type.children) continue
    const value = storedValue(field, values)
    if (isObject(value)) delete value._id
    for (const child of value === null ? [] : [...field.type.children(value, field.options)]) delete child.values._id
  }
  return copy
}
