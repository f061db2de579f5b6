import { notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { presentPages } from '../../engine/pages/present-pages.ts'
import { present } from '../../engine/presentation/present.ts'
import type { Attributed } from '../../engine/versions/ai-marks.ts'
import { annotate } from '../../engine/versions/annotate.ts'
import { type EditableDocument, findEditableVersion } from '../../engine/versions/editable.ts'
import { coveredBy } from '../../engine/versions/timeline.ts'
import { viewOf } from '../../engine/view.ts'
import { flag } from '../../http/requests/read-parameters.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Document } from '../../model/terms/document.ts'
import { blankFields } from '../../model/values/schema.ts'
import type { StoredVersion, Version } from '../../store/contract/store.ts'
import { coveredChanges } from './list-changes.ts'
import { recordsOf } from './records.ts'
import { versionId } from './version-parameters.ts'

/** One version with its document (§4.4), as the caller may see it now; with `annotate`, marked with what it changed. */
export async function readVersion(ctx: Context, { params, query }: RouteRequest): Promise<object> {
  const id = versionId(params.versionId)
  const isAnnotated = flag(query, 'annotate')
  const consolidate = isAnnotated && flag(query, 'consolidate')
  const { version, document } = await findEditableVersion(ctx, id)
  const covered = await coveredBy(ctx.store.versions, version, { consolidate })
  const [record] = await recordsOf(ctx, [covered])
  const doc = await documentOf(ctx, document, id)
  if (isAnnotated) await annotateWith(ctx, document, { ...covered, before: { consolidate } }, doc)
  return { ...record, doc }
}

/** Marks a document with the changes that a request covers; first and restored versions have none. */
async function annotateWith(
  ctx: Context,
  document: EditableDocument,
  covered: Attributed,
  doc: JsonObject,
): Promise<void> {
  const found = await coveredChanges(ctx, covered)
  if (found === null || covered.older === null) return
  const older = await documentOf(ctx, document, covered.older.id)
  await annotate(ctx.site, { older, newer: doc }, found.changes, found.aiOf)
}

async function documentOf(ctx: Context, document: EditableDocument, id: string): Promise<JsonObject> {
  const stored = await ctx.store.versions.get(id)
  if (stored === null) throw notFound()
  return shownDocument(ctx, document, stored)
}

/** The document as of a version, like the answer to a GET of its draft. */
async function shownDocument(ctx: Context, document: EditableDocument, stored: StoredVersion): Promise<JsonObject> {
  // The type of a page may be gone since: then its title is left.
  const type = ctx.site.types.get(stored.version.type)
  const { title = '' } = stored.content
  const content = type ? stored.content : { title }
  const then = asOf(document, type ?? document.type, stored.version, content)
  const [shown] =
    type?.family === 'page' ? await shownPage(ctx, then) : await shownPiece(ctx, type ?? document.type, then)
  if (shown === undefined) throw notFound()
  return shown
}

async function shownPiece(ctx: Context, type: Type, document: Document): Promise<JsonObject[]> {
  const access = viewOf(ctx.actor, type)
  return access ? present(ctx, [document], { access, project: null }) : []
}

/** Presents a page as of a version, in its current position. */
async function shownPage(ctx: Context, document: Document): Promise<JsonObject[]> {
  const { locale, docId } = document.id
  const position = await ctx.store.tree.position(locale, docId)
  if (position === null) return []
  const shown = await presentPages(ctx, [{ document, position }], { former: new Map(), project: null })
  return [...shown.values()]
}

/** The document as of a version; properties that versions never roll back have their current values (§4.4). */
function asOf({ current }: EditableDocument, type: Type, version: Version, content: JsonObject): Document {
  const { visibility = 'public', archived = false, slug = '' } = current.fields
  const { author: title, authorId: _id } = version
  return {
    ...current,
    type: type.name,
    fields: { ...blankFields(type.fields, newId), slug, ...content, visibility, archived },
    updatedAt: version.updatedAt ?? version.createdAt,
    updatedBy: { _id, title, firstName: '', lastName: '', username: null },
  }
}
