import { newId } from '../../base/ids.ts'
import { copyJson, isObject, type Json, type JsonObject, sameJson } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { OpenCopies, OpenDocument } from '../../model/terms/document.ts'
import type { Mode } from '../../model/terms/document-id.ts'
import { dropAsides, holdsAsides } from '../../model/values/aside.ts'
import { storedValue, straysOf, walk } from '../../model/values/walk.ts'
import type { NewVersion, Version } from '../../store/contract/store.ts'
import { dropHashes, isHash } from '../access/secrets.ts'
import type { VersionEvent, WriteContext } from '../context.ts'
import { type Actor, authorOf } from '../permissions.ts'
import { type Change, historyOf, isRestoring, lastSaved, MODES, timeOfSave } from './change.ts'

/** The most JSON that `beforeVersion` hooks may add to a version. */
const MAX_DATA_CHARACTERS = 10_000

/** Records a save (§2.4): one version for each request, of the copy that the request named. */
export async function recordVersion(ctx: WriteContext, change: Change, after: OpenCopies): Promise<void> {
  const made = versionOf(ctx, change, after)
  if (made === null) return
  const { docId, locale } = change
  const newest = change.history?.isAutosave ? await ctx.tx.read.versions.newest({ docId, locale }) : null
  const open = newest !== null && takesMore(newest, made.version, ctx.site.draftInterval) ? newest : null
  const { version, content, attachments } = await withData(ctx, change, { ...made, version: open ?? made.version })
  const updatedAt = made.version.createdAt
  if (open) await ctx.tx.versions.update({ id: open.id, updatedAt, data: version.data }, content, attachments)
  else await ctx.tx.versions.add(version, content, attachments)
  countVersions(ctx, 1)
}

/** Like `recordVersion`, for saves of different documents, none of which is an autosave. */
export async function recordVersions(ctx: WriteContext, saved: ReadonlyMap<Change, OpenCopies>): Promise<void> {
  const versions: NewVersion[] = []
  for (const [change, after] of saved) {
    const made = versionOf(ctx, change, after)
    if (made) versions.push(await withData(ctx, change, made))
  }
  if (versions.length > 0) await ctx.tx.versions.addMany(versions)
  countVersions(ctx, versions.length)
}

function countVersions(ctx: WriteContext, count: number): void {
  ctx.afterCommit(() =>
    ctx.metrics.counter('quire_versions_total', 'Versions that were recorded, or updated.').add({}, count),
  )
}

/** Returns the version that records a save, as a new one; null when none is recorded. */
function versionOf(ctx: WriteContext, change: Change, after: OpenCopies): NewVersion | null {
  const mode = change.type.versions ? recordedCopy(change, after) : null
  const document = mode && after[mode]
  if (mode === null || document === null) return null
  const author = authorOf(ctx.actor)
  const saved = lastSaved(after)
  const { docId, locale, type } = change
  const version: Version = {
    id: newId(),
    docId,
    locale,
    mode,
    type: type.name,
    createdAt: saved > lastSaved(change.before) ? saved : timeOfSave(ctx, change.before),
    updatedAt: null,
    author: author.title,
    authorId: author._id,
    ai: isAi(ctx.actor),
    restoredFrom: change.history?.restoredFrom ?? null,
    // Marks a version that takes a publication back.
    ...(change.reason === 'reverted' && isRestoring(change) && { isUndo: true }),
    label: null,
    data: null,
    ...(change.history?.proposal && { proposal: change.history.proposal }),
  }
  return { version, ...recorded(type, document.fields) }
}

function isAi(actor: Actor): boolean {
  return (actor.kind === 'key' || actor.kind === 'user') && actor.ai
}

async function withData(ctx: WriteContext, { type, reason }: Change, made: NewVersion): Promise<NewVersion> {
  const { version, content } = made
  if (!ctx.hooks.names.has('beforeVersion')) return made
  const data = await addedData(ctx, { type, reason, version, content: withoutState(content), data: {} })
  return { ...made, version: { ...version, data } }
}

/** Returns the data that hooks add to the version; null for none. */
async function addedData(ctx: WriteContext, event: VersionEvent): Promise<JsonObject | null> {
  const { tx: _tx, attempt: _attempt, afterCommit: _afterCommit, ...reading } = ctx
  const data = await ctx.hooks.dataOfVersion(event, reading)
  const length = JSON.stringify(data).length
  if (length <= MAX_DATA_CHARACTERS) return Object.keys(data).length === 0 ? null : data
  ctx.log.error(
    { length },
    'The data that hooks added to a version is longer than 10,000 characters, and was left out.',
  )
  return null
}

/**
 * The copy to record: the one that the request named, or the other one when only that has changed. Publishing,
 * restoring and migrating are recorded even when they change nothing; `visibility` and `archived` are not content, nor
 * is the number that a slug takes when a document leaves the archive.
 */
function recordedCopy(change: Change, after: OpenCopies): Mode | null {
  const { reason, before, fields } = change
  const mode = historyOf(change)?.mode ?? null
  if (reason === 'published' || reason === 'migrated' || isRestoring(change)) return mode
  const keepsSlug = reason === 'restored' && change.takenSlug === 'number'
  const hasChanged = (one: Mode) => {
    const then = before[one]
    const now = keepsSlug ? withSlugOf(then, after[one]) : after[one]
    return fields[one] !== undefined && !sameContent(then, now)
  }
  if (mode === null || hasChanged(mode)) return mode
  return MODES.find(hasChanged) ?? null
}

/** An autosave updates the newest version when that is a recent draft save by the same author, without a label. */
function takesMore(open: Version, next: Version, draftInterval: number): boolean {
  return (
    open.mode === 'draft' &&
    next.mode === 'draft' &&
    open.restoredFrom === null &&
    open.label === null &&
    open.proposal === undefined &&
    open.authorId === next.authorId &&
    open.ai === next.ai &&
    Date.parse(next.createdAt) - Date.parse(open.createdAt) < draftInterval
  )
}

function withSlugOf(before: OpenDocument | null, after: OpenDocument | null): OpenDocument | null {
  const slug = before?.fields.slug
  return after === null || slug === undefined ? after : { ...after, fields: { ...after.fields, slug } }
}

function sameContent(before: OpenDocument | null, after: OpenDocument | null): boolean {
  return before !== null && after !== null && sameJson(withoutState(before.fields), withoutState(after.fields))
}

/**
 * Returns the content of a version, without secrets and values set aside, mostly the very fields of the document; and
 * the attachments that it names, so that their files are not removed before it.
 */
export function recorded(type: Type, content: JsonObject): { content: JsonObject; attachments: string[] } {
  const attachments = new Set<string>()
  let isWhole = true
  for (const { field, values } of walk(type.fields, content)) {
    if (field.type.secret !== undefined || straysOf(field, values).some(holdsHash)) isWhole = false
    if (!field.type.file) continue
    const value = storedValue(field, values)
    if (isObject(value)) attachments.add(String(value._id))
  }
  return {
    content: isWhole && !holdsAsides(content) ? content : withoutSecrets(type, content),
    attachments: [...attachments],
  }
}

function withoutSecrets(type: Type, content: JsonObject): JsonObject {
  const copy = copyJson(content)
  dropAsides(copy)
  for (const { field, values } of walk(type.fields, copy)) {
    if (field.type.secret) delete values[field.name]
    // Which of their values are secret shows in the values only.
    for (const stray of straysOf(field, values)) dropHashes(stray)
  }
  return copy
}

function holdsHash(value: Json): boolean {
  return isObject(value) || Array.isArray(value) ? Object.values(value).some(holdsHash) : isHash(value)
}

function withoutState(fields: JsonObject): JsonObject {
  const { visibility: _visibility, archived: _archived, copyOfId: _origin, ...content } = fields
  return content
}
