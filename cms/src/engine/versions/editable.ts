import { notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Type } from '../../model/declared/types.ts'
import { type Copies, type Document, openValues } from '../../model/terms/document.ts'
import type { PartialId } from '../../model/terms/document-id.ts'
import { blankFields } from '../../model/values/schema.ts'
import type { ListedVersion, StoredVersion, StoreReader, TimelineRef } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { may, seesLocale, type Viewer } from '../permissions.ts'

/** A document in one locale that the caller may edit, and whose versions they may therefore read (§4.4). */
export interface EditableDocument {
  readonly timeline: TimelineRef
  /** Its draft as it is now; the only copy, where there are no drafts. */
  readonly current: Document
  readonly type: Type
}

/**
 * The document that an id in any form means; `notfound` unless the caller may edit it and its type has versions. At
 * most two statements.
 */
export async function findEditable(ctx: Context, { docId, locale: given }: PartialId): Promise<EditableDocument> {
  const locale = ctx.explicit.locale ?? given ?? ctx.locale
  const localized = await loaded(ctx.store, { docId, locale })
  return asEditable(ctx, localized ?? (await loaded(ctx.store, { docId, locale: '' })))
}

/** A version as lists have it, with its document; `notfound` unless the caller may edit that. Two statements. */
export async function findEditableVersion(
  ctx: Context,
  id: string,
): Promise<{ readonly version: ListedVersion; readonly document: EditableDocument }> {
  const version = await ctx.store.versions.listed(id)
  if (version === null) throw notFound()
  return { version, document: asEditable(ctx, await loaded(ctx.store, version)) }
}

/** The types of documents whose versions the caller may read. */
export function editableTypes({ site, actor }: Viewer): Type[] {
  return [...site.types.values()].filter((type) => mayReadVersions(actor, type))
}

interface Loaded {
  readonly timeline: TimelineRef
  readonly copies: Copies
}

async function loaded({ documents }: StoreReader, { docId, locale }: TimelineRef): Promise<Loaded | null> {
  const copies = await documents.copies(docId, locale)
  return copies.draft === null && copies.published === null ? null : { timeline: { docId, locale }, copies }
}

function asEditable(ctx: Context, found: Loaded | null): EditableDocument {
  if (found === null) throw notFound()
  const { timeline, copies } = found
  const isKnownLocale = timeline.locale === '' || seesLocale(ctx, timeline.locale)
  const types = [copies.draft, copies.published].map((copy) => copy && ctx.site.types.get(copy.type))
  const isEditable = types.every((type) => type === null || (type && mayReadVersions(ctx.actor, type)))
  const current = copies.draft ?? copies.published
  const type = types.find((one) => one)
  if (!isKnownLocale || !isEditable || !current || !type) throw notFound()
  return { timeline, current, type }
}

function mayReadVersions(actor: Viewer['actor'], type: Type): boolean {
  return type.versions && may(actor, type.localized ? 'editDraft' : 'editPublished', type)
}

/**
 * A document as of a version. Properties that versions never roll back have their current values (§4.4); where the type
 * of a page is gone since, only its title is left.
 */
export function documentAsOf(
  { site }: Pick<Viewer, 'site'>,
  document: EditableDocument,
  stored: StoredVersion,
): Document {
  const { current } = document
  const { author: title, authorId: _id, type: name, createdAt, updatedAt } = stored.version
  const type = site.types.get(name)
  const content = openValues({ fields: stored.content })
  const then = type ? content : { title: content.title ?? '' }
  const { visibility = 'public', archived = false, slug = '' } = openValues(current)
  return {
    ...current,
    type: (type ?? document.type).name,
    fields: { ...blankFields((type ?? document.type).fields, newId), slug, ...then, visibility, archived },
    updatedAt: updatedAt ?? createdAt,
    updatedBy: { _id, title, firstName: '', lastName: '', username: null },
  }
}
