import { conflict, invalid, notFound } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { OpenCopies, OpenDocument } from '../../model/terms/document.ts'
import type { DocId, DocumentId, Locale, Mode } from '../../model/terms/document-id.ts'
import type { WriteContext } from '../context.ts'
import { assertMay, may } from '../permissions.ts'
import { type Change, type ChangedFields, NO_COPIES } from '../save/change.ts'
import { assertMatch, assertMayOverwrite, type Saved, writtenModes } from '../save/copies.ts'
import { assertComplete, publishedValues } from '../save/draft-problems.ts'
import { inParts, saveMany } from '../save/save.ts'
import { dropDeleted } from '../values/check-references.ts'
import { mergedFor } from '../values/field-access.ts'
import { contentsOf, type UnseenDocuments, unseenDocuments } from '../values/unseen-documents.ts'
import type { Localization } from './localization.ts'
import { candidatesOf, ofRelated, relatedAmong } from './related-along.ts'
import { assertNotByAi } from './words-by-ai.ts'

/** A document to copy, and its copies in both locales where they are locked already. */
export interface LocalizeSource {
  readonly type: Type
  readonly id: DocumentId
  readonly source?: OpenCopies
  readonly before?: OpenCopies
  /** Pages: their slug in that locale, where it is not the one they have here. */
  readonly slug?: string | null
  /** Pages: whether they come to stand in the archive of that locale. */
  readonly isArchived?: boolean
}

/** A document that was copied to another locale, and what else was made there. */
export interface Localized extends Saved {
  readonly localized: readonly DocumentId[]
}

/**
 * Copies the draft of a document to the draft of another locale (§3.4). Returns the copy that is there then, and the
 * ids of all that was made. Throws `notfound`, `forbidden`, and `conflict` where there is one already, unless `update`
 * is set.
 */
export async function localize(
  ctx: WriteContext,
  type: Type,
  id: DocumentId,
  localization: Localization,
): Promise<Localized> {
  const [localized] = await localizeMany(ctx, [{ type, id }], localization)
  if (localized === undefined) throw notFound()
  return localized
}

/**
 * Like `localize`, for many documents of one locale, in a constant number of statements. An error of one
 * refuses all: then each has to be tried by itself.
 */
export async function localizeMany(
  ctx: WriteContext,
  sources: readonly LocalizeSource[],
  localization: Localization,
): Promise<Localized[]> {
  const locked = await lockSources(ctx, sources, localization)
  await assertSourcesNotByAi(ctx, locked, localization)
  const unseen = await unseenIn(
    ctx,
    locked.flatMap(({ type, source, before }) => [source, before].map((copies) => ({ type, copies }))),
  )
  const planned = locked.map((one) => plan(ctx, { ...one, unseen }, localization))
  const copied = await saveCopies(
    ctx,
    planned.map(({ change }) => change),
  )
  const related = await localizeRelated(ctx, planned, localization)
  const copies = localization.publish ? await publishCopied(ctx, planned, copied) : copied
  return copies.map((one, index) => {
    const document = localization.publish ? one.published : one.draft
    if (document === null) throw notFound()
    return { document, copies: one, localized: related[index] ?? [] }
  })
}

type LockedSource = LocalizeSource & Required<Pick<LocalizeSource, 'source' | 'before'>>

async function lockSources(
  ctx: WriteContext,
  sources: readonly LocalizeSource[],
  { toLocale, publish }: Localization,
): Promise<LockedSource[]> {
  for (const { type, id } of sources) {
    assertMay(ctx.actor, publish ? 'publish' : 'editDraft', type)
    if (!type.localized) throw invalid(`${type.label} has no locales.`)
    if (toLocale === id.locale) throw invalid('toLocale must be another locale than the document is in.')
  }
  const unlocked = sources.filter(({ source, before }) => !source || !before).map(({ id }) => id)
  const [first] = unlocked
  const docIds = unlocked.map(({ docId }) => docId)
  const originals = first ? await ctx.tx.documents.lockMany(docIds, first.locale) : new Map<DocId, OpenCopies>()
  const existing = first ? await ctx.tx.documents.lockMany(docIds, toLocale) : originals
  return sources.map((one) => ({
    ...one,
    source: one.source ?? originals.get(one.id.docId) ?? NO_COPIES,
    before: one.before ?? existing.get(one.id.docId) ?? NO_COPIES,
  }))
}

/** Copies that are live at once, like their sources, are not of words by AI that nobody has published. */
async function assertSourcesNotByAi(
  ctx: WriteContext,
  sources: readonly LockedSource[],
  { publish, asDraft = false }: Localization,
): Promise<void> {
  const isLive = ({ type }: LockedSource) => publish || (!asDraft && writtenModes(ctx, type, 'draft').length > 1)
  const live = sources.filter((one) => one.source.draft !== null && isLive(one))
  for (const [locale, some] of Map.groupBy(live, ({ id }) => id.locale)) {
    await assertNotByAi(
      ctx,
      some.map(({ type, id: { docId } }) => ({ type, docId })),
      locale,
    )
  }
}

/** The change that copies a document, and the original. */
interface PlannedCopy {
  readonly original: OpenDocument
  readonly change: Change
}

/** `unseenDocuments` for copies of documents. */
function unseenIn(
  ctx: WriteContext,
  all: readonly { readonly type: Type; readonly copies: OpenCopies }[],
): Promise<UnseenDocuments> {
  const contents = all.flatMap(({ type, copies }) => contentsOf(type, copies))
  return unseenDocuments(ctx, ctx.tx.read.documents, contents)
}

function plan(
  ctx: WriteContext,
  { type, id, source, before, unseen, slug = null, isArchived }: LockedSource & Pick<Copied, 'unseen'>,
  { toLocale, update, publish, asDraft = false, ifMatch = null }: Localization,
): PlannedCopy {
  const original = source.draft ?? source.published
  if (original === null || original.type !== type.name) throw notFound()
  assertMatch(ifMatch, source[id.mode] ?? original)
  assertMayOverwrite(ctx, before, 'editDraft')
  if (before.draft && !update)
    throw conflict(`The document already exists in ${toLocale}. Send update: true to overwrite it.`)
  const state = {
    archived: before.draft?.fields.archived ?? isArchived ?? original.fields.archived === true,
    ...(slug !== null && { slug }),
  }
  const modes: readonly Mode[] = asDraft ? ['draft'] : writtenModes(ctx, type, 'draft')
  if (publish || modes.includes('published')) assertMayOverwrite(ctx, before, 'publish')
  const fieldsIn = (mode: Mode) => ({
    ...broughtAlong(ctx, { type, original, before: before[mode], unseen }),
    ...state,
  })
  const fields: ChangedFields = Object.fromEntries(modes.map((mode) => [mode, fieldsIn(mode)]))
  const values = fields.published ?? (publish ? fields.draft : undefined)
  const published = publishedValues(type, before.published ?? source.published)
  if (values) assertComplete(ctx, unseen, { type, values, published })
  const change = copying({ type, docId: id.docId, locale: toLocale, before, fields })
  // Publishing records the version of this request.
  return { original, change: publish ? { ...change, history: null } : change }
}

function copying(change: Pick<Change, 'type' | 'docId' | 'locale' | 'before' | 'fields'>): Change {
  return { ...change, reason: 'localized', takenSlug: 'number' }
}

interface Copied {
  readonly type: Type
  readonly original: OpenDocument
  readonly before: OpenDocument | null
  readonly unseen: UnseenDocuments
}

/** Merges the fields of another locale, without documents of types that the caller may not see (§5.7). */
function broughtAlong(ctx: WriteContext, { type, original, before, unseen }: Copied): JsonObject {
  const fields = unseen.without(type.fields, original.fields)
  return mergedFor(ctx, type, { incoming: { ...original, fields }, current: before, unseen })
}

/** Saves copies, without the ids of documents that are deleted (§3). */
async function saveCopies(ctx: WriteContext, changes: readonly Change[]): Promise<OpenCopies[]> {
  const copies = changes.flatMap(({ type, fields: { draft, published } }) => {
    return [draft, published].flatMap((values) => (values === undefined ? [] : [{ type, values }]))
  })
  await dropDeleted(ctx, copies)
  return saveMany(ctx, changes)
}

function publishCopied(ctx: WriteContext, planned: readonly PlannedCopy[], copied: readonly OpenCopies[]) {
  const changes = planned.map(({ change: { type, docId, locale } }, index): Change => {
    const before = copied[index] ?? NO_COPIES
    const fields = before.draft ? { published: before.draft.fields } : {}
    return { reason: 'published', type, docId, locale, before, fields }
  })
  return saveMany(ctx, changes)
}

/**
 * Copies the related documents that the other locale lacks, in the state that they have in this one. Returns what was
 * made for each of the documents, in their order. Related documents that the caller may not edit are left out, and so
 * are pages, which need their parents there first.
 */
async function localizeRelated(
  ctx: WriteContext,
  planned: readonly PlannedCopy[],
  localization: Localization,
): Promise<DocumentId[][]> {
  const candidates = planned.map(({ original, change: { type } }) =>
    candidatesOf(ctx, { type, original }, localization),
  )
  const all = new Set(candidates.flatMap((ids) => [...ids.keys()]))
  const known = all.size === 0 ? new Map<DocId, string>() : await ctx.tx.read.documents.types([...all])
  const named = candidates.map((ids) => relatedAmong(ctx, ids, known))
  const types = new Map(named.flatMap((one) => [...one]))
  const [first] = planned
  if (first === undefined || types.size === 0) return []
  const [from, to] = [first.original.id.locale, localization.toLocale]
  const scope = { read: ctx.tx.read.documents, locale: from, types: [...new Set(types.values())] }
  const made = new Map<DocId, DocumentId>()
  for (const part of await inParts(ctx, [...types.keys()], scope)) {
    const wanted = new Map(part.map((docId) => [docId, types.get(docId)]))
    const copied = await copyMissing(ctx, wanted, { from, to }).catch((error) => {
      throw ofRelated(error)
    })
    for (const id of copied) made.set(id.docId, id)
  }
  // A document that several of them relate to is reported with the first.
  return named.map((one) =>
    [...one.keys()].flatMap((docId) => {
      const id = made.get(docId)
      made.delete(docId)
      return id ?? []
    }),
  )
}

async function copyMissing(
  ctx: WriteContext,
  types: ReadonlyMap<DocId, Type | undefined>,
  { from, to }: { readonly from: Locale; readonly to: Locale },
): Promise<DocumentId[]> {
  const sources = await ctx.tx.documents.lockMany([...types.keys()], from)
  const existing = await ctx.tx.documents.lockMany([...types.keys()], to)
  const unseen = await unseenIn(
    ctx,
    [...sources].flatMap(([docId, copies]) => {
      const type = types.get(docId)
      return type === undefined ? [] : [{ type, copies }]
    }),
  )
  const changes = [...sources].flatMap(([docId, { draft, published }]) => {
    const [type, before, original] = [types.get(docId), existing.get(docId) ?? NO_COPIES, draft ?? published]
    if (type === undefined || original?.type !== type.name) return []
    if (before.draft || before.published) return []
    const isPublished = published !== null && may(ctx.actor, 'publish', type)
    const fields = {
      draft: broughtAlong(ctx, { type, original, before: null, unseen }),
      ...(isPublished && { published: broughtAlong(ctx, { type, original: published, before: null, unseen }) }),
    }
    return [copying({ type, docId, locale: to, before, fields })]
  })
  const saved = await saveCopies(ctx, changes)
  return saved.flatMap(({ draft, published }) => (published ?? draft)?.id ?? [])
}
