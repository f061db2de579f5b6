import { invalid, notFound } from '../base/errors.ts'
import { type JsonObject, own } from '../base/json.ts'
import type { Document, DocumentId, Mode } from '../model/document.ts'
import type { Type } from '../model/types.ts'
import type { ChangedFields } from './change.ts'
import { clean, type Input } from './clean.ts'
import type { WriteContext } from './context.ts'
import { assertMatch, recordedMode, type Target, target, writtenModes } from './copies.ts'
import { outsideForm } from './outside-form.ts'
import { patch } from './patch.ts'
import { assertMay, editAction } from './permissions.ts'
import { save } from './save.ts'
import { slugOf, withPrefix } from './slug.ts'
import { isAiWritten, isAutosave } from './write-options.ts'

type Body = { readonly [name: string]: unknown }

/** Which document is changed, and what its caller believes to have read. */
export interface Update {
  readonly type: Type
  readonly id: DocumentId
  readonly ifMatch: string | null
}

/** What PUT keeps when the body leaves it out (decisions 2, Required). */
const KEPT = ['slug', 'visibility', 'archived']
/** What a restored version never rolls back (versions.md). */
const NOT_RESTORED = ['visibility', 'archived']

/** Replaces every content field of a document (§4.1 PUT), in both copies when the published one is meant. */
export async function replace(ctx: WriteContext, update: Update, body: Body): Promise<Document> {
  const found = await held(ctx, update)
  const restoredFrom = await restoredVersion(ctx, found, own(body, '_restoreVersion'))
  const given = restoredFrom === null ? body : without(body, NOT_RESTORED)
  const inputs = inputsFor(ctx, update.type, found, (before) => ({
    values: { ...kept(before), ...(restoredFrom === null ? given : asStored(given)) },
    before,
    required: restoredFrom === null ? null : new Set<string>(),
  }))
  return store(ctx, update, found, inputs, { body: given, restoredFrom, touchesSlug: 'slug' in given })
}

/** Changes some fields of a document (§4.1 PATCH); a published patch reaches the draft too, and nothing else of it. */
export async function update(ctx: WriteContext, update: Update, body: Body): Promise<Document> {
  const found = await held(ctx, update)
  let touched = new Set<string>()
  const inputs = inputsFor(ctx, update.type, found, (before, mode) => {
    const values = outsideForm(update.type.fields, before)
    const isNamed = mode === found.id.mode
    const names = patch(values, body, isNamed ? 'refuse' : 'skip')
    if (isNamed) touched = names
    return { values, before, required: names }
  })
  return store(ctx, update, found, inputs, { body, restoredFrom: null, touchesSlug: touched.has('slug') })
}

async function held(ctx: WriteContext, { type, id, ifMatch }: Update): Promise<Target> {
  assertMay(ctx.actor, editAction(id.mode), type)
  const found = await target(ctx, type, id)
  assertMatch(ifMatch, found.document)
  return found
}

/** One input for each copy that is written. A published copy that is made by autopublish begins as its draft. */
function inputsFor(
  ctx: WriteContext,
  type: Type,
  { id, copies }: Target,
  make: (before: JsonObject, mode: Mode) => Input,
): Map<Mode, Input> {
  const inputs = new Map<Mode, Input>()
  const named = copies[id.mode]
  if (named === null) throw notFound()
  // The named copy first: when it refuses the body, nothing else is looked at.
  const modes = [id.mode, ...writtenModes(ctx, type, id.mode).filter((mode) => mode !== id.mode)]
  for (const mode of modes) {
    const isAutopublished = mode === 'published' && id.mode === 'draft'
    inputs.set(mode, isAutopublished ? make(named.fields, id.mode) : make((copies[mode] ?? named).fields, mode))
  }
  return inputs
}

interface Saving {
  readonly body: Body
  readonly restoredFrom: string | null
  readonly touchesSlug: boolean
}

async function store(
  ctx: WriteContext,
  { type }: Update,
  found: Target,
  inputs: ReadonlyMap<Mode, Input>,
  { body, restoredFrom, touchesSlug }: Saving,
): Promise<Document> {
  const { id, copies } = found
  const modes = [...inputs.keys()]
  const cleaned = await clean(ctx, type, [...inputs.values()])
  const named = cleaned[0] ?? {}
  const isGiven = touchesSlug && named.slug !== ''
  const read = Object.fromEntries(modes.map((mode, place) => [mode, sluggedFields(type, cleaned[place] ?? {})]))
  const fields = withArchived(ctx, type, found, read)
  const after = await save(ctx, {
    operation: 'update',
    type,
    docId: id.docId,
    locale: id.locale,
    before: copies,
    fields,
    madeSlug: !isGiven,
    version: recordedMode(modes),
    ai: isAiWritten(ctx, body),
    restoredFrom,
    autosave: isAutosave(body),
    copyOfId: null,
  })
  return after[id.mode] ?? found.document
}

/** An emptied slug is made from the title anew. */
function sluggedFields(type: Type, fields: JsonObject): JsonObject {
  const slug = fields.slug === '' ? slugOf(type, String(fields.title)) : withPrefix(type, String(fields.slug))
  return slug === fields.slug ? fields : { ...fields, slug }
}

/** Archiving and restoring reach both copies, whichever was named (decisions 3). */
function withArchived(
  ctx: WriteContext,
  type: Type,
  { id, copies, document }: Target,
  fields: ChangedFields,
): ChangedFields {
  const archived = fields[id.mode]?.archived === true
  if (archived === (document.fields.archived === true)) return fields
  assertMay(ctx.actor, 'archive', type)
  const withState = (mode: Mode) => {
    const values = fields[mode] ?? copies[mode]?.fields
    return values ? { [mode]: { ...values, archived } } : {}
  }
  return { ...withState('draft'), ...withState('published') }
}

/** The version that a PUT restores (§4.4); `invalid` unless it is one of this document, in this locale, as a draft. */
async function restoredVersion(
  ctx: WriteContext,
  { id, document }: Target,
  versionId: unknown,
): Promise<string | null> {
  if (versionId === undefined) return null
  const found = typeof versionId === 'string' ? await ctx.tx.versions.get(versionId) : null
  if (!found || found.version.docId !== document.id.docId || found.version.locale !== id.locale) {
    throw invalid('_restoreVersion names no version of this document in this locale.')
  }
  if (id.mode !== 'draft') throw invalid('A version is restored to the draft: send aposMode=draft.')
  return found.version.id
}

/** A restored document's relationships are taken as stored ids, so that deleted documents are dropped. */
function asStored(body: Body): Body {
  const names = Object.keys(body).filter((name) => `${name.slice(1)}Ids` in body && name.startsWith('_'))
  return without(body, names)
}

function kept(before: JsonObject): JsonObject {
  return Object.fromEntries(KEPT.flatMap((name) => (before[name] === undefined ? [] : [[name, before[name]]])))
}

function without(body: Body, names: readonly string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}
