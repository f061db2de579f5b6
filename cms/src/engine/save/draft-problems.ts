import { invalid, invalidFields, type Problem } from '../../base/errors.ts'
import type { JsonObject, UnknownObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { isTrue } from '../../model/field-type/outside.ts'
import { type Copies, type Document, openValues } from '../../model/terms/document.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import { requiredProblems, shortListProblems } from '../../model/values/required.ts'
import type { StoreReader } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import type { Viewer } from '../permissions.ts'
import { wholeBody } from '../values/patch.ts'
import { type UnseenDocuments, unseenDocuments } from '../values/unseen-documents.ts'
import { viewsOf } from '../view.ts'
import { isAutosave } from './change.ts'

/**
 * Values of a type that are to be published, and those that are published now, or were before; null for none, or for those
 * of another type.
 */
interface Publishing {
  readonly type: Type
  readonly values: JsonObject
  readonly published: JsonObject | null
}

/**
 * The problems that prevent publishing (§3.3): required fields that are empty, and lists that are too short, of the
 * fields that the caller sees. What was published with the same lack may stay as it is.
 */
export function publishingProblems(
  viewer: Viewer,
  unseen: UnseenDocuments,
  { type: { fields }, values, published }: Publishing,
): Problem[] {
  const views = viewsOf(viewer)
  const asks = (field: Field) => views.asksFor(field, true)
  const stored = published && { fields, values: published }
  const publishedLacks = new Set(published ? requiredProblems(fields, published, { asks }).map(({ path }) => path) : [])
  const empty = requiredProblems(fields, values, { asks, before: stored ? [stored] : [] })
  // A list whose only items are hidden from the caller looks empty to them.
  const shown = unseen.without(fields, values)
  const shownShort = new Set(shortListProblems(fields, shown, { asks, before: stored }).map(({ path }) => path))
  const short = shortListProblems(fields, values, { asks, before: stored }).filter(({ path }) => shownShort.has(path))
  return [...empty.filter(({ path }) => !publishedLacks.has(path)), ...short]
}

/** Values that a save publishes, and both copies of the document before it. */
interface Published {
  readonly type: Type
  readonly values: JsonObject
  readonly before: Copies
}

/** Throws `invalid` with everything that keeps values from being published. Three statements at most. */
export async function assertPublishable(ctx: WriteContext, { type, values, before }: Published): Promise<void> {
  const unseen = await unseenDocuments(ctx, ctx.tx.read.documents, [{ fields: type.fields, values }])
  const published = await lastPublished(ctx.tx.read, type, before)
  assertComplete(ctx, unseen, { type, values, published })
}

/** Like `assertPublishable`, where what the caller must not learn of was looked up. */
export function assertComplete(viewer: Viewer, unseen: UnseenDocuments, publishing: Publishing): void {
  const problems = publishingProblems(viewer, unseen, publishing)
  if (problems.length > 0) throw invalidFields(problems)
}

/** The problems that prevent publishing a draft; none where there is no draft. Three statements at most. */
export async function problemsOf(ctx: Context, copies: Copies): Promise<Problem[]> {
  const { draft } = copies
  const type = draft && ctx.site.types.get(draft.type)
  if (!type) return []
  const values = openValues(draft)
  const unseen = await unseenDocuments(ctx, ctx.store.documents, [{ fields: type.fields, values }])
  const published = await lastPublished(ctx.store, type, copies)
  return publishingProblems(ctx, unseen, { type, values, published })
}

/** The values of a published copy; null where it is of another type. */
export function publishedValues(type: Type, published: Document | null): JsonObject | null {
  return published?.type === type.name ? openValues(published) : null
}

/** The values that a document is published with, or was before it was unpublished; null where it never was. */
async function lastPublished(
  { versions }: Pick<StoreReader, 'versions'>,
  type: Type,
  { draft, published }: Copies,
): Promise<JsonObject | null> {
  if (published !== null || !draft?.wasPublished) return publishedValues(type, published)
  const { docId, locale } = draft.id
  const publication = await versions.publication({ docId, locale })
  const stored = publication && (await versions.get(publication.id))
  return stored?.version.type === type.name ? openValues({ fields: stored.content }) : null
}

/** The problems of a draft, as answers name them. */
interface WithProblems {
  readonly _problems: readonly Problem[]
}

/** The problems of a draft that the caller may edit. */
export async function draftProblems(ctx: Context, { docId, locale }: DocumentId): Promise<WithProblems> {
  return { _problems: await problemsOf(ctx, await ctx.store.documents.copies(docId, locale)) }
}

/** The problems of a draft after a save that might leave it incomplete; nothing after others. */
export async function problemsAfter(
  ctx: Context,
  { id, body }: { readonly id: DocumentId; readonly body: UnknownObject },
): Promise<Partial<WithProblems>> {
  const whole = wholeBody(body)
  const isAsked = id.mode === 'draft' && (isTrue(whole, '_incomplete') || isAutosave(whole))
  return isAsked ? draftProblems(ctx, id) : {}
}

/** Only drafts have problems: what is published is complete. Throws `invalid`. */
export function assertIsDraft({ mode }: DocumentId): void {
  if (mode !== 'draft') throw invalid('problems says what a draft lacks: ask for the draft, with aposMode=draft.')
}
