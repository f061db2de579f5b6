import type { SearchWeight, Type } from '../../model/declared/types.ts'
import { audienceIn } from '../../model/history/declarations.ts'
import { type Document, openValues } from '../../model/terms/document.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import type { Audience } from '../../model/terms/roles.ts'
import { searchTexts } from '../../model/values/index-rows.ts'
import { isNamedIn, referencesOf } from '../../model/values/walk.ts'
import type { CopyOutline, StoredDocument } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import type { TypeView } from '../view.ts'

/**
 * Each audience has its own form of index words, so that a search never matches what its caller cannot read: `whole` are
 * callers who see the whole document. In order: the later one sees what the earlier one sees.
 */
const MARKERS: { readonly [audience in Exclude<Audience, null> | 'whole']: string } = {
  public: '',
  whole: '~0',
  guest: '~1',
  contributor: '~2',
  editor: '~3',
  admin: '~4',
}

/** The markers of the words that callers with this view find. */
export function markersOf({ audiences }: TypeView): readonly string[] {
  return [...new Set(audiences.map(markerOf))]
}

function markerOf(audience: Audience): string {
  return MARKERS[audience ?? 'whole']
}

/** A text by which a document is found, who sees it, and how much it weighs. */
export interface FoundText {
  /** The top-level field that it lies in. */
  readonly name: string
  readonly marker: string
  readonly weight: SearchWeight
  readonly text: string
}

/** Related documents by id, of those that documents of a locale and mode lead to. */
export type RelatedTitles = ReadonlyMap<string, Outlines>
type Outlines = ReadonlyMap<DocId, CopyOutline>

/** The related documents by whose titles these documents are found: one statement for all of a locale and mode. */
export async function relatedTitles(
  { site, store }: Pick<Context, 'site' | 'store'>,
  documents: readonly StoredDocument[],
): Promise<RelatedTitles> {
  const titles = new Map<string, Outlines>()
  const leading = documents.filter(({ document }) => site.types.get(document.type)?.searchable.length)
  for (const [scope, all] of Map.groupBy(leading, ({ document }) => scopeOf(document))) {
    const ids = new Set(all.flatMap(({ document }) => relatedIds(site.types.get(document.type), document)))
    const [{ locale, mode } = { locale: '', mode: 'published' as const }] = all.map(({ document }) => document.id)
    const outlines = await store.documents.outlines([...ids], { locale, mode })
    titles.set(scope, new Map(outlines.map((one) => [one.id.docId, one])))
  }
  return titles
}

/** Related documents are looked up in the locale and mode of the document. */
function scopeOf({ id }: Document): string {
  return `${id.mode} ${id.locale}`
}

/** None where they cannot be read: then its words cannot be made either. */
function relatedIds(type: Type | undefined, document: Document): readonly DocId[] {
  try {
    return type === undefined ? [] : relatedOf(type, document).flatMap(({ docIds }) => docIds)
  } catch {
    return []
  }
}

/** The texts by which a document is found, of the widest audience first: its own, and titles of related documents. */
export function foundTexts(
  types: ReadonlyMap<string, Type>,
  document: Document,
  titles: RelatedTitles,
): readonly FoundText[] {
  const type = types.get(document.type)
  if (type === undefined) return []
  const outlines = titles.get(scopeOf(document)) ?? new Map()
  const related = relatedOf(type, document).flatMap((one) => titlesOf(types, one, outlines))
  return [...ownTexts(type, document), ...related].toSorted((one, other) => (one.marker < other.marker ? -1 : 1))
}

/** The texts of a document itself. */
function ownTexts(type: Type, document: Document): readonly FoundText[] {
  return [...searchTexts(type.fields, openValues(document))].flatMap(({ field, viewRole, text }) => {
    const weight = weightOf(type, field.name)
    const marker = markerOf(viewRole ?? audienceIn(type, field))
    return weight === 'none' ? [] : [{ name: field.name, marker, weight, text }]
  })
}

function weightOf({ searchWeights }: Type, name: string): SearchWeight {
  return searchWeights.get(name) ?? 'normal'
}

/** The documents that a relationship leads to whose titles a document is found by. */
interface Related extends Omit<FoundText, 'text'> {
  readonly docIds: readonly DocId[]
}

function relatedOf(type: Type, document: Document): readonly Related[] {
  return type.searchable.flatMap((name) => {
    const field = type.fields.byName.get(name)
    const weight = weightOf(type, name)
    if (field === undefined || weight === 'none') return []
    const docIds = referencesOf(field, openValues(document)).map(({ id }) => id)
    return [{ name, marker: markerOf(audienceIn(type, field)), weight, docIds }]
  })
}

/**
 * The titles of related documents in their order, each for those who see it: who sees the relationship need not see what
 * it leads to.
 */
function titlesOf(
  types: ReadonlyMap<string, Type>,
  { name, marker, weight, docIds }: Related,
  outlines: Outlines,
): readonly FoundText[] {
  return docIds.flatMap((docId) => {
    const { type: typeName = '', title = '', visibility } = outlines.get(docId) ?? {}
    const type = types.get(typeName)
    if (type === undefined) return []
    const markers = [marker, markerOf(titleAudience(type)), visibility === 'public' ? '' : MARKERS.guest]
    return [{ name, weight, text: title, marker: markers.toSorted().at(-1) ?? marker }]
  })
}

/**
 * Who sees the titles of a type where a relationship leads to it (`relatedViewOf`): all, even if the type is not public;
 * but not guests, if the public projection leaves the title out.
 */
function titleAudience({ viewRole, publicProjection, fields }: Type): Audience {
  if (viewRole !== null) return viewRole
  const title = fields.byName.get('title')
  const isShown = title !== undefined && (publicProjection === null || isNamedIn(title, publicProjection))
  return isShown ? 'public' : 'contributor'
}
