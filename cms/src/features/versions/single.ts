import { notFound } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { shownDocument, shownPages } from '../../engine/answers/shown-documents.ts'
import type { Context } from '../../engine/context.ts'
import type { Attributed } from '../../engine/versions/ai-marks.ts'
import { annotate } from '../../engine/versions/annotate.ts'
import { oneAtATime } from '../../engine/versions/comparisons.ts'
import { documentAsOf, type EditableDocument, findEditableVersion } from '../../engine/versions/editable.ts'
import { coveredBy } from '../../engine/versions/timeline.ts'
import { flag } from '../../http/requests/read-parameters.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import type { Document } from '../../model/terms/document.ts'
import type { Version } from '../../store/contract/store.ts'
import { coveredChanges } from './list-changes.ts'
import { recordsOf } from './records.ts'
import { versionId } from './version-parameters.ts'

/** Answers one version with its document (§4.4), as the caller may see it now; `annotate` marks its changes. */
export async function readVersion(ctx: Context, { params, query }: RouteRequest): Promise<object> {
  const id = versionId(params.versionId)
  const isAnnotated = flag(query, 'annotate')
  const consolidate = isAnnotated && flag(query, 'consolidate')
  const { version, document } = await findEditableVersion(ctx, id)
  const covered = await coveredBy(ctx.store.versions, version, { consolidate })
  const [record] = await recordsOf(ctx, [covered])
  const doc = await documentOf(ctx, document, id)
  const compared = { ...covered, before: { consolidate } }
  if (isAnnotated) await oneAtATime(ctx, () => annotateWith(ctx, document, compared, doc))
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
  const shown = await shownThen(ctx, documentAsOf(ctx, document, stored), stored.version)
  if (shown === null) throw notFound()
  return shown
}

/** A document as of a version, like the answer to a GET of its draft; a page in its present position. */
async function shownThen(ctx: Context, then: Document, version: Version): Promise<JsonObject | null> {
  const form = { as: 'version', project: null } as const
  if (ctx.site.types.get(version.type)?.family !== 'page') return shownDocument(ctx, then, form)
  const { locale, docId } = then.id
  const position = await ctx.store.tree.position(locale, docId)
  const shown = position && (await shownPages(ctx, [{ document: then, position }], form))
  return shown?.get(docId) ?? null
}
