import { invalid, notFound } from '../../base/errors.ts'
import { type JsonObject, own, pick, type UnknownObject } from '../../base/json.ts'
import { inTurns } from '../../base/turns.ts'
import type { Type } from '../../model/declared/types.ts'
import { ANNOTATED, holdsMarks } from '../../model/terms/annotation.ts'
import type { OpenCopies, OpenDocument } from '../../model/terms/document.ts'
import type { DocumentId, Mode } from '../../model/terms/document-id.ts'
import { isNamedIn, propertyNames } from '../../model/values/walk.ts'
import type { AcceptedProposal } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import { assertMay, editAction } from '../permissions.ts'
import { type Change, type ChangedFields, isAutosave, mapFields, mayBeIncomplete } from '../save/change.ts'
import { assertMatch, assertMayOverwrite, type Saved, type Target, target, writtenModes } from '../save/copies.ts'
import { assertPublishable } from '../save/draft-problems.ts'
import { assertNotRestoring, type RestoredVersion, restoredSlug, restoredVersion } from '../save/restored-version.ts'
import { confirm, save } from '../save/save.ts'
import { withoutFormerSlug, withWholeSlug } from '../save/slugs.ts'
import { clean, type Input } from '../values/clean.ts'
import { patchableForm, takenOver } from '../values/field-access.ts'
import { bodiesOf, patch, repeat, wholeBody } from '../values/patch.ts'
import { notRestored } from '../values/seen-content.ts'
import { contentsOf, unseenDocuments } from '../values/unseen-documents.ts'
import type { ValueKind } from '../values/value-kinds.ts'
import { viewsOf } from '../view.ts'
import { storeSchedule } from './schedule.ts'

/** The document to change, and the revision that the caller has read. */
interface Update {
  readonly type: Type
  readonly id: DocumentId
  readonly ifMatch: string | null
  /** Pages: the new type. */
  readonly becomes?: Type
  /** Pages: what a slug that follows the title is made below. */
  readonly parentSlug?: string
  /** Both copies, where they are already read and locked. */
  readonly copies?: OpenCopies
  /** A document that is not published stays so, also where each save is published. */
  readonly keepsUnpublished?: true
  /** The proposal that is accepted. */
  readonly proposal?: AcceptedProposal | undefined
}

/** Properties that PUT keeps when the body leaves them out (§2.11). */
const PRESERVED = ['slug', 'visibility', 'archived']

/** Replaces every content field of a document (§4.1 PUT), in both copies when the published one is meant. */
export async function replace(ctx: WriteContext, update: Update, body: UnknownObject): Promise<Saved> {
  const locked = await lock(ctx, update)
  const restored = await restoredVersion(ctx, locked, own(body, '_restoreVersion'))
  if (restored !== null) return restore(ctx, locked, { restored, body })
  const inputs = await inputsFor(ctx, { ...locked, body }, (_, before) => ({
    values: { ...pick(before, PRESERVED), ...body },
    before,
    touched: null,
    shownIn: locked.id,
  }))
  return saveInputs(ctx, locked, { kind: 'asked', inputs, body, touchesSlug: Object.hasOwn(body, 'slug') })
}

/** Restores the stored version: the body only names it. */
async function restore(
  ctx: WriteContext,
  locked: Locked,
  { restored: { id, content }, body }: { readonly restored: RestoredVersion; readonly body: UnknownObject },
): Promise<Saved> {
  if (holdsMarks(body)) throw invalid(ANNOTATED)
  const { becomes } = locked
  const inputs = await inputsFor(ctx, { ...locked, body }, (copy, before) => ({
    values: { ...pick(before, PRESERVED), ...content, slug: restoredSlug(becomes, content.slug, copy.fields.slug) },
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
export async function update(ctx: WriteContext, update: Update, body: UnknownObject): Promise<Saved> {
  assertNotRestoring(bodiesOf(body))
  const locked = await lock(ctx, update)
  const { type, becomes, document, copies } = locked
  const unseen = await unseenDocuments(ctx, ctx.tx.read.documents, contentsOf(type, copies))
  const formOf = (of: Type, values: JsonObject) => patchableForm(ctx, of, unseen.without(of.fields, values))
  const named = formOf(type, document.fields)
  const { result: patched } = await inTurns(patch(type.fields, named, body))
  const touched = fieldsNamed(becomes, patched.touched)
  if (touched.has('archived') && named.archived === true) assertMay(ctx.actor, 'archive', type)
  const whole = wholeBody(body)
  const inputs = await inputsFor(ctx, { ...locked, body: whole }, async (copy, before) => {
    const isNamed = copy === document && copy.type === becomes.name
    const values = isNamed ? named : formOf(becomes, before)
    if (!isNamed) await inTurns(repeat(becomes.fields, values, patched.operations))
    return { values: withoutUntouched(becomes, touched, values), before, touched, shownIn: locked.id }
  })
  return saveInputs(ctx, locked, { kind: 'asked', inputs, body: whole, touchesSlug: touched.has('slug') })
}

/** Archives or restores a piece (§3.5): both copies, whichever was named; one that is in one mode only is archived there. */
export async function setArchived(ctx: WriteContext, ref: Update, archived: boolean): Promise<Saved> {
  const { id } = ref
  const copies = await ctx.tx.documents.lockCopies(id.docId, id.locale)
  const mode = copies[id.mode] === null && copies.draft !== null ? 'draft' : id.mode
  return update(ctx, { ...ref, id: { ...id, mode }, copies, keepsUnpublished: true }, { archived })
}

/** Drops fields that a PATCH does not touch: those that the caller may not write would count as written. */
function withoutUntouched({ fields }: Type, touched: ReadonlySet<string>, values: JsonObject): JsonObject {
  const untouched = fields.list.filter(({ name }) => !touched.has(name))
  const names = new Set(untouched.flatMap((field) => [field.name, ...propertyNames(field)]))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))
}

function typeOf({ site }: Context, { type: name }: OpenDocument): Type {
  const type = site.types.get(name)
  if (type === undefined) throw notFound()
  return type
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
async function inputsFor(
  ctx: WriteContext,
  { id, becomes, copies, document, body, keepsUnpublished }: Locked & { readonly body: UnknownObject },
  make: (copy: OpenDocument, before: JsonObject) => Input | Promise<Input>,
): Promise<Map<Mode, Input>> {
  const inputs = new Map<Mode, Input>()
  const ofShared = new Map<JsonObject, Input>()
  // The named copy first: when it refuses the body, nothing else is looked at.
  const modes = [...new Set([id.mode, ...writtenModes(ctx, becomes, id.mode)])].filter(
    (mode) => mode === 'draft' || !keepsUnpublished || copies.published !== null,
  )
  const isUnfinished = mayBeIncomplete(body, modes)
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
    const input = ofShared.get(copy.fields) ?? {
      ...(await make(copy, heldBefore())),
      formerFields,
      named: named ?? undefined,
      isUnfinished,
    }
    inputs.set(mode, input)
    ofShared.set(copy.fields, input)
  }
  return inputs
}

/** New values of a document, and the request that they are of. */
interface NewValues {
  readonly kind: ValueKind
  readonly inputs: ReadonlyMap<Mode, Input>
  readonly body: UnknownObject
  readonly touchesSlug?: boolean
  readonly restoredFrom?: string
}

async function saveInputs(ctx: WriteContext, locked: Locked, values: NewValues): Promise<Saved> {
  const { id, copies: before, document, becomes: type } = locked
  const change = await plan(ctx, locked, values)
  const saved = await save(ctx, change)
  // A schedule is no content, and what is restored is content alone.
  if (values.restoredFrom === undefined) await storeSchedule(ctx, { type, ...id }, values.body)
  const after = saved === before ? await confirm(ctx, change) : saved
  return { document: after[id.mode] ?? document, copies: after }
}

async function plan(
  ctx: WriteContext,
  locked: Locked,
  { kind, inputs, body, touchesSlug = false, restoredFrom }: NewValues,
): Promise<Change> {
  const { id, copies: before, becomes: type, parentSlug, proposal } = locked
  const modes = [...inputs.keys()]
  const cleaned = await clean(ctx, { type, kind, inputs: [...inputs.values()] })
  const isGiven = touchesSlug && cleaned[0]?.slug !== ''
  const read: ChangedFields = Object.fromEntries(modes.map((mode, index) => [mode, cleaned[index]]))
  const followsTitle = kind === 'asked' && !touchesSlug
  const whole = mapFields(read, (fields) => {
    const own = followsTitle ? withoutFormerSlug(type, before, { fields, parentSlug }) : fields
    return withWholeSlug(type, own, parentSlug)
  })
  // Elsewhere the values of the published copy were changed, and read as complete.
  const isTakenOver = id.mode === 'draft' || kind === 'restored'
  if (whole.published && isTakenOver) await assertPublishable(ctx, { type, values: whole.published, before })
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
      proposal,
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
