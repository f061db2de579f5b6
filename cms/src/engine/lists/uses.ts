import type { Site } from '../../model/declared/types.ts'
import { type Document, openValues } from '../../model/terms/document.ts'
import type { DocId, Locale, Mode } from '../../model/terms/document-id.ts'
import { ROLES } from '../../model/terms/roles.ts'
import { filesAside } from '../../model/values/aside.ts'
import { linkedIds } from '../../model/values/rich-text-links.ts'
import { type LocatedField, referencesOf, storedValue, targetsOf, topOf, walk } from '../../model/values/walk.ts'
import type { CopySummary, IndexedReference, ReferenceName } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { fallbacksOf, may, seenLocales, type Viewer } from '../permissions.ts'
import { type TypeView, type Views, viewsOf } from '../view.ts'

/** Kinds of use (§4.1): by a relationship, by a link or an image in a text, or by the uploaded file itself. */
export const USE_KINDS = ['relationship', 'link', 'image', 'file'] as const

/** A document whose uses are searched for, and the uploads whose piece it is. */
export interface Used {
  readonly docId: DocId
  readonly files: readonly string[]
}

/** A place where a document uses another one. */
export interface Use {
  /** Names of fields and ids of items: `body.w1._topics`. */
  readonly path: string
  /** The labels of the fields and widgets on the way. */
  readonly label: string
  readonly kind: (typeof USE_KINDS)[number]
  readonly modes: readonly Mode[]
}

/** The most uses that are named of one document. */
export const MOST_USES = 50

/**
 * The names of index rows by which documents use others: of the types whose drafts the caller may read, in the given
 * locales, and of fields that the caller sees; with `to` without relationships that do not lead to that type.
 */
export function referenceNames(ctx: Viewer, locales: readonly Locale[], to?: string): ReferenceName[] {
  const views = viewsOf(ctx)
  return [...ctx.site.types.values()].flatMap((type) => {
    const view = views.of(type.name)
    if (view === null || !may(ctx.actor, 'readDraft', type)) return []
    const isOfArchived = view.rights.has('editDraft')
    const documents = documentNames(views, view, to).map((name) => ({ kind: 'document', name }) as const)
    const attachments = attachmentNames(views, view).map((name) => ({ kind: 'attachment', name }) as const)
    const names = [...documents, ...attachments]
    const lists = type.localized ? locales : ['']
    return lists.flatMap((locale) => names.map((one) => ({ type: type.name, locale, isOfArchived, ...one })))
  })
}

/** The index rows of documents that use one, by those names. */
export function referencesTo(ctx: Viewer, { docId, files }: Used, locales: readonly Locale[]): IndexedReference[] {
  return referenceNames(ctx, locales).flatMap((one) => {
    const ids = one.kind === 'document' ? [docId] : files
    return ids.map((id) => ({ ...one, id }))
  })
}

function documentNames(views: Views, { fields }: TypeView, to: string | undefined): string[] {
  const relationships = fields.filter(
    (field) => field.type.relation === 'forward' && (to === undefined || targetsOf(field).includes(to)),
  )
  return [...relationships.map(({ name }) => name), ...forRoles(views, '*')]
}

function attachmentNames(views: Views, { fields }: TypeView): string[] {
  const holders = fields.filter(({ type }) => type.references !== undefined || type.children !== undefined)
  return holders.flatMap(({ name }) => forRoles(views, name))
}

/** The name of index rows, and what it is where a role is needed that the caller has. */
function forRoles(views: Views, name: string): string[] {
  return [name, ...ROLES.filter((role) => views.isFor(role)).map((role) => `${name}:${role}`)]
}

/**
 * The locales whose documents lead to a document of this locale: its own, and those without a copy that fall back to
 * it; of a document without locales, all that the caller may know of.
 */
export function localesUsing(ctx: Context, locale: Locale, copies: readonly CopySummary[]): Locale[] {
  const seen = seenLocales(ctx)
  if (locale === '') return seen
  const isIn = new Set(copies.map(({ id }) => id.locale))
  return seen.filter((name) => name === locale || (!isIn.has(name) && fallbacksOf(ctx, name).includes(locale)))
}

/** The uses in the copies of one document that the caller may see: each place and kind once, at most `MOST_USES`. */
export function usesIn(ctx: Viewer, copies: readonly Document[], used: Used): Use[] {
  const uses = new Map<string, Use>()
  for (const copy of copies) {
    for (const { kind, located } of usesOfCopy(ctx, copy, used)) {
      const { path } = located
      const { modes = [] } = uses.get(`${kind} ${path}`) ?? {}
      if (modes.includes(copy.id.mode)) continue
      uses.set(`${kind} ${path}`, { path, label: labelOf(ctx.site, located), kind, modes: [...modes, copy.id.mode] })
    }
  }
  return [...uses.values()].slice(0, MOST_USES)
}

interface FoundUse {
  readonly kind: Use['kind']
  readonly located: LocatedField
}

function* usesOfCopy(ctx: Viewer, copy: Document, used: Used): Generator<FoundUse> {
  const type = ctx.site.types.get(copy.type)
  if (type === undefined) return
  const views = viewsOf(ctx)
  for (const located of walk(type.fields, openValues(copy))) {
    if (
      used.files.length > 0 &&
      views.isFor('admin') &&
      filesAside(located.values).some((id) => used.files.includes(id))
    ) {
      yield { kind: 'file', located: topOf(located) }
    }
    if (!isHidden(views, located)) for (const kind of kindsOf(located, used)) yield { kind, located }
  }
}

function isHidden(views: Views, { field, parent }: LocatedField): boolean {
  return views.hides(field) || (parent !== null && isHidden(views, parent))
}

function kindsOf({ field, values }: LocatedField, { docId, files }: Used): Use['kind'][] {
  const references = referencesOf(field, values)
  const text = field.type.links ? storedValue(field, values) : null
  const { permalinkIds, imageIds } = linkedIds(typeof text === 'string' ? text : '')
  const found = {
    relationship: references.some(({ kind, id }) => kind === 'document' && id === docId),
    link: permalinkIds.includes(docId),
    image: imageIds.includes(docId),
    file: references.some(({ kind, id }) => kind === 'attachment' && files.includes(id)),
  }
  return USE_KINDS.filter((kind) => found[kind])
}

/** `Body › Quote › Topics`. */
function labelOf({ widgets }: Pick<Site, 'widgets'>, { field, values, parent }: LocatedField): string {
  const widget = values.metaType === 'widget' ? widgets.get(String(values.type)) : undefined
  const above = parent === null ? [] : [labelOf({ widgets }, parent)]
  return [...above, ...(widget ? [widget.label] : []), field.label].join(' › ')
}
