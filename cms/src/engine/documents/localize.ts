import { conflict, invalid, notFound } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import type { Copies, DocId, Document, DocumentId, Locale, Mode } from '../../model/document.ts'
import type { Site, Type } from '../../model/types.ts'
import { storedValue, walk } from '../../model/walk.ts'
import type { WriteContext } from '../context.ts'
import { assertMay, may } from '../permissions.ts'
import { type Change, changeOf } from './change.ts'
import { assertMatch, assertMayOverwrite, type Saved, writtenModes } from './copies.ts'
import { mergedFor } from './field-access.ts'
import { save } from './save.ts'

/** The locale that a document is copied to, and options (§3.4). */
export interface Localization {
  readonly toLocale: string
  /** Overwrites the draft that is there. */
  readonly update: boolean
  /** Also publishes it there. */
  readonly publish: boolean
  /** The types whose related documents come along where they are not there yet; `all` for every type. */
  readonly related: ReadonlySet<string> | 'all'
  /** Pages: their slug in that locale, where it is not the one they have here. */
  readonly slug?: string
  readonly ifMatch?: string | null
}

/** A document that was copied to another locale, and what else was made there. */
export interface Localized extends Saved {
  readonly localized: readonly DocumentId[]
}

/** Reads a body `{ toLocale, update?, publish?, related? }`. Throws `invalid` for unknown locales and types. */
export function readLocalization(site: Site, body: { readonly [name: string]: unknown }): Localization {
  const toLocale = own(body, 'toLocale')
  if (typeof toLocale !== 'string' || !site.locales.has(toLocale)) {
    throw invalid(`toLocale must be one of ${[...site.locales.keys()].join(', ')}.`)
  }
  return {
    toLocale,
    update: isSet(body, 'update'),
    publish: isSet(body, 'publish'),
    related: readRelated(site, own(body, 'related')),
  }
}

/** True when an option of a body is `true`, also as a text. */
export function isSet(body: { readonly [name: string]: unknown }, name: string): boolean {
  return own(body, name) === true || own(body, name) === 'true'
}

function readRelated(site: Site, related: unknown): Localization['related'] {
  if (related === undefined) return new Set([`${site.namespace}/image`, `${site.namespace}/file`])
  if (related === true || related === 'true') return 'all'
  if (related === false || related === 'false') return new Set()
  if (Array.isArray(related) && related.every((name) => typeof name === 'string' && site.types.has(name))) {
    return new Set(related)
  }
  throw invalid('related must be true, false, or a list of types.')
}

/** Copies a document's draft to another locale's draft (§3.4), and returns that, or the published copy it then has. */
export async function localize(
  ctx: WriteContext,
  type: Type,
  id: DocumentId,
  localization: Localization,
): Promise<Localized> {
  const { toLocale, update, slug, ifMatch = null } = localization
  assertMay(ctx.actor, localization.publish ? 'publish' : 'editDraft', type)
  if (!type.localized) throw invalid(`${type.label} has no locales.`)
  if (toLocale === id.locale) throw invalid('toLocale must be another locale than the document is in.')
  const source = await ctx.tx.documents.lockCopies(id.docId, id.locale)
  const original = source.draft ?? source.published
  if (original === null || original.type !== type.name) throw notFound()
  assertMatch(ifMatch, source[id.mode] ?? original)
  const before = await ctx.tx.documents.lockCopies(id.docId, toLocale)
  assertMayOverwrite(ctx, before, 'editDraft')
  if (before.draft && !update)
    throw conflict(`The document already exists in ${toLocale}. Send update: true to overwrite it.`)
  const state = { archived: before.draft?.fields.archived ?? false, ...(slug && { slug }) }
  const modes = writtenModes(ctx, type, 'draft')
  const fieldsIn = (mode: Mode) => ({ ...mergedFor(ctx, type, original, before[mode]), ...state })
  const fields = Object.fromEntries(modes.map((mode) => [mode, fieldsIn(mode)]))
  const given = {
    reason: 'localized',
    type,
    docId: id.docId,
    locale: toLocale,
    before,
    fields,
    madeSlug: true,
  } as const
  // Publishing records the version of this request.
  const change = changeOf(ctx, given)
  const copied = await save(ctx, localization.publish ? { ...change, version: null } : change)
  const localized = await localizeRelated(ctx, type, original, localization)
  const copies = localization.publish ? await published(ctx, { ...given, before: copied }) : copied
  const document = localization.publish ? copies.published : copies.draft
  if (document === null) throw notFound()
  return { document, copies, localized }
}

async function published(ctx: WriteContext, { type, docId, locale, before }: Published): Promise<Copies> {
  const fields = before.draft ? { published: before.draft.fields } : {}
  return save(ctx, changeOf(ctx, { reason: 'published', type, docId, locale, before, fields }))
}

/** A document that is published where it was copied to. */
type Published = Pick<Change, 'type' | 'docId' | 'locale' | 'before'>

/**
 * Copies related documents that are missing there, in the state they have here. Documents that the caller may not edit
 * are left out, and so are pages, which need their parents there first.
 */
async function localizeRelated(
  ctx: WriteContext,
  type: Type,
  { id, fields }: Document,
  { toLocale, related }: Localization,
): Promise<DocumentId[]> {
  const named = new Map<DocId, Type>()
  for (const { field, values } of walk(type.fields, fields)) {
    const value = field.type.references ? storedValue(field, values) : null
    const references = value === null ? [] : [...(field.type.references?.(value, field.options) ?? [])]
    for (const reference of references) {
      const target = reference.kind === 'document' ? ctx.site.types.get(reference.type) : undefined
      if (target && comesAlong(ctx, target, related)) named.set(reference.id, target)
    }
  }
  named.delete(id.docId)
  if (named.size > ctx.site.limits.ids) {
    throw invalid(
      `At most ${ctx.site.limits.ids} related documents can be copied along. Send related: false, or fewer types.`,
    )
  }
  const made: DocumentId[] = []
  for (const [docId, target] of named) {
    const copy = await localizeOne(ctx, target, { docId, from: id.locale, to: toLocale })
    if (copy !== null) made.push(copy)
  }
  return made
}

function comesAlong(ctx: WriteContext, type: Type, related: Localization['related']): boolean {
  const isWanted = related === 'all' || related.has(type.name)
  return isWanted && type.localized && !type.singleton && type.family === 'piece' && may(ctx.actor, 'editDraft', type)
}

async function localizeOne(
  ctx: WriteContext,
  type: Type,
  { docId, from, to }: { readonly docId: DocId; readonly from: Locale; readonly to: Locale },
): Promise<DocumentId | null> {
  const source = await ctx.tx.documents.lockCopies(docId, from)
  const original = source.draft ?? source.published
  if (original?.type !== type.name || original.fields.archived === true) return null
  const before = await ctx.tx.documents.lockCopies(docId, to)
  if (before.draft || before.published) return null
  const isPublished = source.published !== null && may(ctx.actor, 'publish', type)
  const fields = {
    draft: mergedFor(ctx, type, original, null),
    ...(isPublished && { published: mergedFor(ctx, type, source.published, null) }),
  }
  const given = { reason: 'localized', type, docId, locale: to, before, fields, madeSlug: true } as const
  const after = await save(ctx, changeOf(ctx, given))
  return (after.published ?? after.draft)?.id ?? null
}
