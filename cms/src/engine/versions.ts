import { newId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { sameJson } from '../base/same-json.ts'
import type { Copies } from '../model/document.ts'
import { walk } from '../model/schema.ts'
import type { Type } from '../model/types.ts'
import type { Version } from '../store/store.ts'
import type { Change } from './change.ts'
import type { WriteContext } from './context.ts'
import { authorOf } from './permissions.ts'

/** How long an autosaved draft takes further autosaves (the site's `draftInterval`): a day, in milliseconds. */
const DRAFT_INTERVAL = 24 * 60 * 60 * 1000

/** Remembers a save (§2.4): one record for one request, about the copy that the request named. */
export async function recordVersion(ctx: WriteContext, change: Change, after: Copies): Promise<void> {
  const document = change.version === null ? null : after[change.version]
  if (change.version === null || document === null || !change.type.versions) return
  const content = versionContent(change.type, document.fields)
  if (change.operation === 'update' && change.restoredFrom === null && isSameContent(change, content)) return
  const author = authorOf(ctx.actor)
  const version: Version = {
    id: newId(),
    docId: change.docId,
    locale: change.locale,
    mode: change.version,
    type: change.type.name,
    createdAt: ctx.now().toISOString(),
    updatedAt: null,
    author: author.title,
    authorId: author._id,
    ai: change.ai,
    restoredFrom: change.restoredFrom,
    autosave: change.autosave,
  }
  const open = change.autosave ? await ctx.tx.versions.newest(change.docId, change.locale) : null
  if (open && takesMore(open, version)) await ctx.tx.versions.update(open.id, version.createdAt, content)
  else await ctx.tx.versions.add(version, content)
}

/** `visibility` and `archived` are no content: a change of them alone leaves no version. */
function isSameContent({ type, version, before }: Change, content: JsonObject): boolean {
  const stored = version === null ? null : before[version]
  return stored !== null && sameJson(versionContent(type, stored.fields), content)
}

/** An autosave goes on in the newest version when that is a young draft save of the same hand. */
function takesMore(open: Version, next: Version): boolean {
  return (
    open.mode === 'draft' &&
    next.mode === 'draft' &&
    open.restoredFrom === null &&
    open.authorId === next.authorId &&
    open.ai === next.ai &&
    Date.parse(next.createdAt) - Date.parse(open.createdAt) < DRAFT_INTERVAL
  )
}

/** What a version keeps: content, without secrets and without the state that is never rolled back. */
function versionContent(type: Type, fields: JsonObject): JsonObject {
  const { visibility: _visibility, archived: _archived, copyOfId: _origin, ...content } = structuredClone(fields)
  for (const { field, values } of walk(type.fields, content)) {
    if (field.type.secret) delete values[field.name]
  }
  return content
}
