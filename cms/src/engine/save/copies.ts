import { conflict, invalid, notFound } from '../../base/errors.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Copies, Document, OpenCopies, OpenDocument } from '../../model/terms/document.ts'
import type { DocId, DocumentId, Locale, Mode } from '../../model/terms/document-id.ts'
import type { Context, WriteContext } from '../context.ts'
import { type Action, assertMay, may, type Viewer } from '../permissions.ts'
import type { NotRestored } from '../values/seen-content.ts'

/** The copy that a write addresses, and both copies. */
export interface Target {
  readonly id: DocumentId
  readonly copies: OpenCopies
  readonly document: OpenDocument
}

/** The result of a write: the copy that it addressed, and both as they are now. */
export interface Saved {
  /** Values of a restored version that its fields no longer accept. */
  readonly notRestored?: readonly NotRestored[]
  readonly document: OpenDocument
  readonly copies: OpenCopies
}

/** The copies that a save in this mode writes (§3.2): a published copy brings its draft along. */
export function writtenModes(ctx: Context, type: Type, mode: Mode): readonly Mode[] {
  if (!type.localized) return ['published']
  const publishes = mode === 'published' || (type.autopublish && may(ctx.actor, 'publish', type))
  return publishes ? ['draft', 'published'] : ['draft']
}

/** Asserts that the caller may do that to copies of their present types, which may differ from each other and a new one. */
export function assertMayOverwrite({ site, actor }: Viewer, { draft, published }: Copies, action: Action): void {
  for (const copy of [draft, published]) {
    const type = copy && site.types.get(copy.type)
    if (type) assertMay(actor, action, type)
  }
}

/**
 * Loads and locks a document to change, unless given as `locked`. Throws `notfound`, also for documents of another
 * type.
 */
export async function target(
  ctx: WriteContext,
  { type, id }: { readonly type: Type; readonly id: DocumentId },
  locked?: OpenCopies,
): Promise<Target> {
  const copies = locked ?? (await ctx.tx.documents.lockCopies(id.docId, id.locale))
  const document = copies[id.mode]
  if (document === null || document.type !== type.name) throw notFound()
  return { id, copies, document }
}

/**
 * Honours `If-Match` (§0.8): throws `conflict` when the copy has changed since the caller read it, naming who changed
 * it.
 */
export function assertMatch(ifMatch: string | null, document: OpenDocument): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  // A proxy that compresses makes tags weak; the revision in them still says which copy was read.
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\/|\.[\w-]+(?="$)/g, ''))
  const etag = etagOf(document)
  if (tags.includes(etag)) return
  const { updatedAt, updatedBy } = document
  throw conflict('The document has changed since you read it. Read it again, then repeat your change.', {
    etag,
    updatedAt,
    updatedBy: { ...updatedBy },
  })
}

/**
 * The entity tag of one copy. `made` distinguishes answers that hold more than the copy, which `If-Match` leaves out.
 */
export function etagOf({ revision, createdAt }: Pick<Document, 'revision' | 'createdAt'>, made = ''): string {
  // A document that was deleted in a locale and localized again counts its revisions from the beginning.
  const own = `${revision}-${Date.parse(createdAt).toString(36)}`
  return made === '' ? `"${own}"` : `"${own}.${made}"`
}

/** The headers of an answer about both copies: the tag of the one that was named, which a write to it may send back. */
export function tagOfNamed(copies: Copies, mode: Mode): { readonly ETag?: string } {
  const named = copies[mode] ?? copies.draft ?? copies.published
  return named === null ? {} : { ETag: etagOf(named) }
}

/** One document in one locale. */
export interface DocumentRef {
  readonly type: Type
  readonly docId: DocId
  readonly locale: Locale
  /** The copy that `ifMatch` refers to; the draft when left out. */
  readonly mode?: Mode
  readonly ifMatch?: string | null
}

/** Locks and returns both copies, if the caller may do this to them. Throws `notfound` when there is neither. */
export async function lockFor(ctx: WriteContext, ref: DocumentRef, action: Action): Promise<OpenCopies> {
  const { type, docId, locale, mode = 'draft', ifMatch = null } = ref
  assertMay(ctx.actor, action, type)
  if (!type.localized) throw invalid(`${type.label} has no draft: every save is live at once.`)
  const copies = await ctx.tx.documents.lockCopies(docId, locale)
  const named = copies[mode] ?? copies.draft ?? copies.published
  // The draft of a page may have become one of another type.
  if (named === null || (copies.draft?.type !== type.name && copies.published?.type !== type.name)) throw notFound()
  assertMayOverwrite(ctx, copies, action)
  assertMatch(ifMatch, named)
  return copies
}
