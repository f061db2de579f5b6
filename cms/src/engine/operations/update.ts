import { CmsError, invalid, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { type JsonObject, own } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import { ANNOTATED, holdsMarks } from '../../model/terms/annotation.ts'
import type { Copies, Document, DocumentId, Mode } from '../../model/terms/document.ts'
import { isNamedIn, propertyNames } from '../../model/values/property-names.ts'
import { blankFields } from '../../model/values/schema.ts'
import { isStored } from '../../model/values/walk.ts'
import type { Context, WriteContext } from '../context.ts'
import type { Reason } from '../events.ts'
import { cropProblems, prepareCrops } from '../media/requested-crops.ts'
import { assertMay, editAction } from '../permissions.ts'
import { type ChangedFields, changeOf, mapFields } from '../save/change.ts'
import { confirm } from '../save/confirm.ts'
import { assertMatch, assertMayOverwrite, type Saved, type Target, target, writtenModes } from '../save/copies.ts'
import { restoredSlug, restoredVersion } from '../save/restored-version.ts'
import { save } from '../save/save.ts'
import { withWholeSlug } from '../save/whole-slug.ts'
import { clean, type Input } from '../values/clean.ts'
import { outsideForm, takenOver } from '../values/field-access.ts'
import { bodiesOf, patch, repeat } from '../values/patch.ts'
import { notRestored } from '../values/set-aside.ts'
import { noteSchedule } from './schedule.ts'

type Body = { readonly [name: string]: unknown }

/** The document to change, and the revision that the caller has read. */
export interface Update {
  readonly type: Type
  readonly id: DocumentId
  readonly ifMatch: string | null
  /** Pages: the new type. */
  readonly becomes?: Type
  /** Pages: what an emptied slug is made below. */
  readonly parentSlug?: string
  /** Both copies, where they are already read and locked. */
  readonly copies?: Copies
}

/** What PUT keeps when the body leaves it out (§2.11). */
const PRESERVED = ['slug', 'visibility', 'archived']

/** Replaces every content field of a document (§4.1 PUT), in both copies when the published one is meant. */
export async function replace(ctx: WriteContext, update: Update, body: Body): Promise<Saved> {
  const found = await targetOf(ctx, update)
  const becomes = update.becomes ?? update.type
  const restored = await restoredVersion(ctx, becomes, found, own(body, '_restoreVersion'))
  // What is restored is the stored version: the body only names it.
  if (restored && holdsMarks(body)) throw invalid(ANNOTATED)
  const given: Body = restored ? restored.content : body
  const inputs = inputsFor(ctx, update, found, (copy, before) => ({
    values: {
      ...preserved(before),
      ...given,
      ...(restored && { slug: restoredSlug(becomes, given.slug, copy.fields.slug) }),
    },
    before,
    touched: null,
    mustBeComplete: restored === null,
    shownIn: update.id,
    keepsUnwritable: restored !== null,
    restores: restored !== null,
  }))
  const saved = await store(ctx, update, found, inputs, {
    body,
    restoredFrom: restored?.id ?? null,
    touchesSlug: restored === null && Object.hasOwn(body, 'slug'),
  })
  const lost = restored === null ? [] : notRestored(ctx.actor, becomes, restored.content, saved.document.fields)
  return lost.length === 0 ? saved : { ...saved, notRestored: lost }
}

/** Changes some fields of a document (§4.1 PATCH); a published patch reaches the draft too, and nothing else of it. */
export async function update(ctx: WriteContext, update: Update, body: Body): Promise<Saved> {
  const found = await targetOf(ctx, update)
  const { type, becomes = type } = update
  const named = patchableForm(ctx, type, found.document.fields)
  const patched = patch(type.fields, named, body)
  const touched = fieldsNamed(becomes, patched.touched)
  if (touched.has('archived') && named.archived === true) assertMay(ctx.actor, 'archive', type)
  const inputs = inputsFor(ctx, update, found, (copy, before) => {
    const isNamed = copy === found.document && copy.type === becomes.name
    const values = isNamed ? named : patchableForm(ctx, becomes, before)
    if (!isNamed) repeat(becomes.fields, values, patched.operations)
    return {
      values: withoutUntouched(becomes, touched, values),
      before,
      touched,
      shownIn: update.id,
      mustBeComplete: true,
    }
  })
  const whole = Object.fromEntries(bodiesOf(body).flatMap((one) => Object.entries(one)))
  return store(ctx, update, found, inputs, { body: whole, restoredFrom: null, touchesSlug: touched.has('slug') })
}

/** What a PATCH does not touch is not given: a field that the caller may not write would otherwise count as written. */
function withoutUntouched({ fields }: Type, touched: ReadonlySet<string>, values: JsonObject): JsonObject {
  const untouched = fields.list.filter(({ name }) => !touched.has(name))
  const names = new Set(untouched.flatMap((field) => [field.name, ...propertyNames(field)]))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))
}

function typeOf({ site }: Context, { type: name }: Document): Type {
  const type = site.types.get(name)
  if (type === undefined) throw notFound()
  return type
}

/** A key of a patch that ends in a number of a crop, at any depth. */
const NAMES_CROP = /(^|[.])(top|left|width|height)$/

/**
 * Makes the crops that a PATCH asks for, before the transaction. What is asked for only shows once the patch is applied
 * to what is stored: done only when the body names the numbers of a crop. Problems of the patch are reported later.
 */
export async function preparePatch(ctx: Context, id: DocumentId, body: Body): Promise<void> {
  if (!namesCrop(body)) return
  const document = await ctx.store.documents.get(id)
  const type = document && ctx.site.types.get(document.type)
  if (!type) return
  const patched = patchableForm(ctx, type, document.fields)
  try {
    patch(type.fields, patched, body)
  } catch (error) {
    if (error instanceof CmsError) return
    throw error
  }
  await prepareCrops(ctx, patched)
}

/** Deeper than any document. */
const DEEPEST = 200

function namesCrop(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false
  return Object.entries(value).some(([name, inner]) => NAMES_CROP.test(name) || namesCrop(inner, depth + 1))
}

/** What a PATCH may address: all that the caller sees, fields that the type has got since the last save included. */
function patchableForm(ctx: Context, type: Type, stored: JsonObject): JsonObject {
  const isWhole = type.fields.list.every((field) => field.type.computed || isStored(field, stored))
  const whole = isWhole ? stored : { ...blankFields(type.fields, newId), ...stored }
  return outsideForm(ctx.actor, type.fields, whole)
}

/** The fields that these properties belong to: `topicsIds` is `_topics`. */
function fieldsNamed({ fields }: Type, properties: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(fields.list.filter((field) => isNamedIn(field, properties)).map(({ name }) => name))
}

async function targetOf(ctx: WriteContext, { type, id, ifMatch, copies }: Update): Promise<Target> {
  assertMay(ctx.actor, editAction(id.mode), type)
  const found = await target(ctx, type, id, copies)
  assertMatch(ifMatch, found.document)
  return found
}

/**
 * The input for each copy that is written, made of the copy and of what a document of its type from now on holds of it:
 * one for both where they hold the same.
 * A published copy that is made by autopublish begins as its draft.
 */
function inputsFor(
  ctx: WriteContext,
  { type, becomes = type }: Update,
  { id, copies, document }: Target,
  make: (copy: Document, before: JsonObject) => Input,
): Map<Mode, Input> {
  const inputs = new Map<Mode, Input>()
  const ofShared = new Map<JsonObject, Input>()
  // The named copy first: when it refuses the body, nothing else is looked at.
  const modes = [id.mode, ...writtenModes(ctx, becomes, id.mode).filter((mode) => mode !== id.mode)]
  for (const mode of modes) {
    const isAutopublished = mode === 'published' && id.mode === 'draft'
    if (isAutopublished) assertMayOverwrite(ctx, { ...copies, draft: null }, 'editPublished')
    const copy = (isAutopublished ? null : copies[mode]) ?? document
    const former = typeOf(ctx, copy)
    assertMay(ctx.actor, editAction(id.mode), former)
    const heldBefore = () =>
      former === becomes
        ? copy.fields
        : takenOver({ actor: ctx.actor, from: former.fields, to: becomes.fields }, copy.fields)
    const formerFields = former === becomes ? undefined : former.fields
    const named = formerFields ? undefined : inputs.get(id.mode)?.before
    const input = ofShared.get(copy.fields) ?? { ...make(copy, heldBefore()), formerFields, named: named ?? undefined }
    inputs.set(mode, input)
    ofShared.set(copy.fields, input)
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
  { type: formerType, becomes: type = formerType, parentSlug }: Update,
  found: Target,
  inputs: ReadonlyMap<Mode, Input>,
  { body, restoredFrom, touchesSlug }: Saving,
): Promise<Saved> {
  const { id, copies } = found
  const modes = [...inputs.keys()]
  const cleaned = await clean(ctx, type, [...inputs.values()], cropProblems)
  const named = cleaned[0] ?? {}
  const isGiven = touchesSlug && named.slug !== ''
  const read: ChangedFields = Object.fromEntries(modes.map((mode, index) => [mode, cleaned[index]]))
  const whole = mapFields(read, (fields) => withWholeSlug(type, fields, parentSlug))
  const { reason, fields } = withArchived(ctx, type, found, whole)
  const change = { reason, type, docId: id.docId, locale: id.locale, before: copies, fields, restoredFrom }
  const version = modes.includes('published') ? 'published' : 'draft'
  const changed = changeOf(ctx, { ...change, madeSlug: !isGiven, version }, body)
  const saved = await save(ctx, changed)
  // A schedule is no content, and what is restored is content alone.
  if (restoredFrom === null) await noteSchedule(ctx, type, id, body)
  const after = saved === copies ? await confirm(ctx, changed) : saved
  return { document: after[id.mode] ?? found.document, copies: after }
}

/** Archiving and restoring reach both copies, whichever was named (§3.5). */
function withArchived(
  ctx: WriteContext,
  type: Type,
  { id, copies, document }: Target,
  fields: ChangedFields,
): { readonly reason: Reason; readonly fields: ChangedFields } {
  const archived = fields[id.mode]?.archived === true
  if (archived === (document.fields.archived === true)) return { reason: 'saved', fields }
  assertMay(ctx.actor, 'archive', type)
  if (type.singleton && archived) throw invalid(`${type.label} is a singleton: it cannot be archived.`)
  const withState = (mode: Mode) => {
    const values = fields[mode] ?? copies[mode]?.fields
    return values ? { [mode]: { ...values, archived } } : {}
  }
  return { reason: archived ? 'archived' : 'restored', fields: { ...withState('draft'), ...withState('published') } }
}

function preserved(before: JsonObject): JsonObject {
  return Object.fromEntries(PRESERVED.flatMap((name) => (before[name] === undefined ? [] : [[name, before[name]]])))
}
