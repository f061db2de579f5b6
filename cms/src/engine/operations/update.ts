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
import { prepareCrops } from '../media/requested-crops.ts'
import { assertMay, editAction } from '../permissions.ts'
import { type Change, type ChangedFields, isAutosave, mapFields } from '../save/change.ts'
import { assertMatch, assertMayOverwrite, type Saved, type Target, target, writtenModes } from '../save/copies.ts'
import { type RestoredVersion, restoredSlug, restoredVersion } from '../save/restored-version.ts'
import { confirm, save } from '../save/save.ts'
import { withWholeSlug } from '../save/slugs.ts'
import { clean, type Input } from '../values/clean.ts'
import { outsideForm, takenOver } from '../values/field-access.ts'
import { bodiesOf, patch, repeat } from '../values/patch.ts'
import { notRestored } from '../values/seen-content.ts'
import type { ValueKind } from '../values/value-kinds.ts'
import { viewsOf } from '../view.ts'
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
  const locked = await lock(ctx, update)
  const restored = await restoredVersion(ctx, locked, own(body, '_restoreVersion'))
  if (restored !== null) return restore(ctx, locked, { restored, body })
  const inputs = inputsFor(ctx, locked, (_, before) => ({
    values: { ...preserved(before), ...body },
    before,
    touched: null,
    shownIn: locked.id,
  }))
  return saveInputs(ctx, locked, { kind: 'asked', inputs, body, touchesSlug: Object.hasOwn(body, 'slug') })
}

/** What is restored is the stored version: the body only names it. */
async function restore(
  ctx: WriteContext,
  locked: Locked,
  { restored: { id, content }, body }: { readonly restored: RestoredVersion; readonly body: Body },
): Promise<Saved> {
  if (holdsMarks(body)) throw invalid(ANNOTATED)
  const { becomes } = locked
  const inputs = inputsFor(ctx, locked, (copy, before) => ({
    values: { ...preserved(before), ...content, slug: restoredSlug(becomes, content.slug, copy.fields.slug) },
    before,
    touched: null,
    shownIn: locked.id,
  }))
  const saved = await saveInputs(ctx, locked, { kind: 'restored', inputs, body, restoredFrom: id })
  const lost = notRestored(viewsOf(ctx), becomes, { content, restored: saved.document.fields })
  return lost.length === 0 ? saved : { ...saved, notRestored: lost }
}

/**
 * Changes some fields of a document (§4.1 PATCH). Returns the copy that the id names, and both copies as they are now.
 * Throws `notfound`, `invalid` with all wrong fields, `forbidden`, and `conflict` for a taken slug or a stale
 * `ifMatch`.
 */
export async function update(ctx: WriteContext, update: Update, body: Body): Promise<Saved> {
  const locked = await lock(ctx, update)
  const { type, becomes, document } = locked
  const named = patchableForm(ctx, type, document.fields)
  const patched = patch(type.fields, named, body)
  const touched = fieldsNamed(becomes, patched.touched)
  if (touched.has('archived') && named.archived === true) assertMay(ctx.actor, 'archive', type)
  const inputs = inputsFor(ctx, locked, (copy, before) => {
    const isNamed = copy === document && copy.type === becomes.name
    const values = isNamed ? named : patchableForm(ctx, becomes, before)
    if (!isNamed) repeat(becomes.fields, values, patched.operations)
    return { values: withoutUntouched(becomes, touched, values), before, touched, shownIn: locked.id }
  })
  const whole = Object.fromEntries(bodiesOf(body).flatMap((one) => Object.entries(one)))
  return saveInputs(ctx, locked, { kind: 'asked', inputs, body: whole, touchesSlug: touched.has('slug') })
}

/** Archives or restores a piece (§3.5): both copies, whichever was named; one that is in one mode only is archived there. */
export async function setArchived(ctx: WriteContext, ref: Update, archived: boolean): Promise<Saved> {
  const { id } = ref
  const copies = await ctx.tx.documents.lockCopies(id.docId, id.locale)
  const mode = copies[id.mode] === null && copies.draft !== null ? 'draft' : id.mode
  return update(ctx, { ...ref, id: { ...id, mode }, copies }, { archived })
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
  return outsideForm(viewsOf(ctx), type.fields, whole)
}

/** The fields that these properties belong to: `topicsIds` is `_topics`. */
function fieldsNamed({ fields }: Type, properties: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(fields.list.filter((field) => isNamedIn(field, properties)).map(({ name }) => name))
}

/** A document that is to change, locked, and the type that it will have. */
type Locked = Update & Target & { readonly becomes: Type }

async function lock(ctx: WriteContext, update: Update): Promise<Locked> {
  const { type, id, ifMatch, copies } = update
  assertMay(ctx.actor, editAction(id.mode), type)
  const locked = await target(ctx, { type, id }, copies)
  assertMatch(ifMatch, locked.document)
  return { becomes: type, ...update, ...locked }
}

/**
 * The input for each copy that is written, made of the copy and of what a document of its type from now on holds of it:
 * one for both where they hold the same.
 * A published copy that is made by autopublish begins as its draft.
 */
function inputsFor(
  ctx: WriteContext,
  { id, becomes, copies, document }: Locked,
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
        : takenOver(viewsOf(ctx), { from: former.fields, to: becomes.fields }, copy.fields)
    const formerFields = former === becomes ? undefined : former.fields
    const named = formerFields ? undefined : inputs.get(id.mode)?.before
    const input = ofShared.get(copy.fields) ?? { ...make(copy, heldBefore()), formerFields, named: named ?? undefined }
    inputs.set(mode, input)
    ofShared.set(copy.fields, input)
  }
  return inputs
}

/** New values of a document, and the request that they are of. */
interface NewValues {
  readonly kind: ValueKind
  readonly inputs: ReadonlyMap<Mode, Input>
  readonly body: Body
  readonly touchesSlug?: boolean
  readonly restoredFrom?: string
}

async function saveInputs(ctx: WriteContext, locked: Locked, values: NewValues): Promise<Saved> {
  const { id, copies: before, document, becomes: type } = locked
  const change = await plan(ctx, locked, values)
  const saved = await save(ctx, change)
  // A schedule is no content, and what is restored is content alone.
  if (values.restoredFrom === undefined) await noteSchedule(ctx, { type, ...id }, values.body)
  const after = saved === before ? await confirm(ctx, change) : saved
  return { document: after[id.mode] ?? document, copies: after }
}

async function plan(
  ctx: WriteContext,
  locked: Locked,
  { kind, inputs, body, touchesSlug = false, restoredFrom }: NewValues,
): Promise<Change> {
  const { id, copies: before, becomes: type, parentSlug } = locked
  const modes = [...inputs.keys()]
  const cleaned = await clean(ctx, { type, kind, inputs: [...inputs.values()] })
  const isGiven = touchesSlug && cleaned[0]?.slug !== ''
  const read: ChangedFields = Object.fromEntries(modes.map((mode, index) => [mode, cleaned[index]]))
  const whole = mapFields(read, (fields) => withWholeSlug(type, fields, parentSlug))
  return {
    ...withArchived(ctx, locked, whole),
    type,
    docId: id.docId,
    locale: id.locale,
    before,
    takenSlug: isGiven ? 'refuse' : 'number',
    history: {
      mode: modes.includes('published') ? 'published' : 'draft',
      restoredFrom,
      isAutosave: isAutosave(body),
    },
  }
}

/** Archiving and restoring reach both copies, whichever was named (§3.5). */
function withArchived(
  ctx: WriteContext,
  { id, becomes: type, copies, document }: Locked,
  fields: ChangedFields,
): Pick<Change, 'reason' | 'fields'> {
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
