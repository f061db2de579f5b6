import { conflict, notFound } from '../../base/errors.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Copies, Document, DocumentId, Mode } from '../../model/terms/document.ts'
import type { Context, WriteContext } from '../context.ts'
import { type Action, assertMay, may, type Viewer } from '../permissions.ts'
import type { NotRestored } from '../values/set-aside.ts'

/** The copy that a write addresses, and both copies. */
export interface Target {
  readonly id: DocumentId
  readonly copies: Copies
  readonly document: Document
}

/** The result of a write: the copy that it addressed, and both as they are now. */
export interface Saved {
  /** Values of a restored version that its fields no longer accept. */
  readonly notRestored?: readonly NotRestored[]
  readonly document: Document
  readonly copies: Copies
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
export async function target(ctx: WriteContext, type: Type, id: DocumentId, locked?: Copies): Promise<Target> {
  const copies = locked ?? (await ctx.tx.documents.lockCopies(id.docId, id.locale))
  const document = copies[id.mode]
  if (document === null || document.type !== type.name) throw notFound()
  return { id, copies, document }
}

/**
 * Honours `If-Match` (§0.8): throws `conflict` when the copy has changed since the caller read it, naming who changed
 * it.
 */
export function assertMatch(ifMatch: string | null, document: Document): void {
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
 * The entity tag of one copy. `made` tells apart answers with something besides the copy, which `If-Match` leaves out.
 */
export function etagOf({ revision, createdAt }: Document, made = ''): string {
  // What is deleted in a locale and localized anew counts its revisions from the beginning.
  const own = `${revision}-${Date.parse(createdAt).toString(36)}`
  return made === '' ? `"${own}"` : `"${own}.${made}"`
}
