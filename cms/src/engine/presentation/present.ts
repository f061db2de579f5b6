import type { JsonObject } from '../../base/json.ts'
import { oncePer } from '../../base/lazy.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { type Document, slugOf } from '../../model/terms/document.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import type { Context } from '../context.ts'
import { AttachmentSlots } from '../media/attachments.ts'
import { SharedBytes, type TextSlots } from '../shared-bytes.ts'
import type { CopyScope, RelatedBy } from '../view.ts'
import { pageUrl } from './document-url.ts'
import { pieceUrls } from './piece-urls.ts'
import { type Plan, type Planned, planOf } from './plan.ts'
import { type Filling, populate, type ShownBy } from './populate.ts'
import { prepare, type RelationshipSlot, shownValues, withFields } from './prepare.ts'
import { bothOf, onlyNames, type Projection } from './projection.ts'
import { RelatedSize, RelatedTexts } from './related-texts.ts'

/** How documents of one type are shown to the caller. */
export interface Presentation extends Planned {
  /** Areas will be rendered: those of related documents too, so what their widgets relate to is filled in. */
  readonly isRendered?: boolean
  /** The sizes of the whole answer, of which these documents are a part; one that is too long is refused when left out. */
  readonly sizes?: RelatedSize
  /**
   * For answers that become text: takes the cached texts of related documents, which the answer then refers to, unless
   * areas are rendered or hooks see the documents.
   */
  readonly textSlots?: TextSlots
}

/**
 * Documents → JSON for the caller (§2.1): hidden fields left out, relationships filled in one level deep (deeper where
 * a relationship says so, or those that the request names), annotations added. All documents must have one type, locale and mode. Their fields become
 * part of the answer: do not use the documents afterwards.
 */
export async function present(
  ctx: Context,
  documents: readonly Document[],
  presentation: Presentation,
): Promise<JsonObject[]> {
  const { isRendered = false, textSlots } = presentation
  const slots = new AttachmentSlots()
  const sizes = presentation.sizes ?? new RelatedSize('refuse')
  const plan = planOf(ctx, presentation)
  const answers = await presentLevel(ctx, documents, {
    plan,
    isOpened: allRelationships,
    isRendered,
    above: [],
    slots,
    sizes,
    texts: textSlots && !isRendered && !plan.hasHooks ? relatedTexts(ctx, textSlots, sizes) : null,
  })
  await slots.fill(ctx)
  return answers
}

/** Decides which relationships of a level are filled in. */
type Deeper = (field: Field) => boolean
const allRelationships: Deeper = () => true

/** One level of an answer: its documents, or those related to the level above. */
interface Level {
  readonly plan: Plan
  readonly slots: AttachmentSlots
  readonly sizes: RelatedSize
  readonly isRendered: boolean
  readonly isOpened: Deeper
  /** Where their own relationships are looked up; with the documents themselves when left out. */
  readonly scope?: CopyScope
  /** Fills in related documents as text; null to fill them in as objects. */
  readonly texts: RelatedTexts | null
  /** The relationships that led here. */
  readonly above: readonly Field[]
}

async function presentLevel(ctx: Context, documents: readonly Document[], level: Level): Promise<JsonObject[]> {
  const { plan } = level
  const [first] = documents
  if (first === undefined) return []
  const { scope = first.id } = level
  const relationships: RelationshipSlot[] = []
  const urlsOf = plan.pieceUrls.length > 0 ? await pieceUrls(ctx, plan.type, first.id) : null
  const answers = documents.map((document) => {
    const url = plan.hasPageUrl ? pageUrl(ctx, document.id.locale, slugOf(document)) : null
    const answer = shownValues(document, plan, url)
    if (urlsOf) addUrls(answer, plan, urlsOf(document))
    if (level.above.length > 0) level.sizes.measure(answer)
    prepare({ ...level, docId: document.id.docId, answer, relationships })
    if (plan.isMedia) level.slots.addPiece(answer, document)
    return answer
  })
  if (relationships.length > 0) await populate(ctx, { scope, slots: relationships }, fillingOf(ctx, level))
  if (plan.hasHooks) for (const answer of answers) await ctx.hooks.run('present', answer, ctx)
  for (const answer of answers) narrow(answer, plan)
  return answers
}

function addUrls(answer: JsonObject, { pieceUrls }: Plan, urls: JsonObject): void {
  for (const name of pieceUrls) if (urls[name] !== undefined) answer[name] = urls[name]
}

/** Removes what was filled in, or added by hooks, and is not shown. */
function narrow(answer: JsonObject, { hasHooks, removed, shows }: Plan): void {
  for (const name of hasHooks ? Object.keys(answer) : removed) if (!shows(name)) delete answer[name]
}

function fillingOf(ctx: Context, level: Level): Filling {
  const { slots, sizes, above, texts } = level
  return {
    texts,
    placing: async (documents, by) => {
      sizes.found(documents.length)
      const shown = await presentRelated(ctx, documents, { ...level, by, above: [...above, by.field] })
      return (docId, fields, answer) => {
        const document = shown.get(docId)
        if (document === undefined) return undefined
        const placed = sizes.place(document, answer, above.length === 0)
        if (placed !== document) slots.copied(document, placed, {})
        if (fields === null) return placed
        const copy = withFields(placed, fields)
        slots.copied(document, copy, fields)
        return copy
      }
    },
  }
}

/** Returns the cache of related texts; null when nothing can be cached: then making each text costs more. */
function relatedTexts(ctx: Context, textSlots: TextSlots, sizes: RelatedSize): RelatedTexts | null {
  if (!ctx.caches.related.isOn) return null
  const make = async (document: Document, by: RelatedBy, fields: JsonObject) => {
    const whole = { slots: new AttachmentSlots(), sizes: new RelatedSize('refuse'), isRendered: false }
    const shown = await presentRelated(ctx, [document], { ...whole, by: { ...by, project: null }, above: [by.field] })
    const answer = shown.get(document.id.docId) ?? {}
    const copy = withFields(answer, fields)
    whole.slots.copied(answer, copy, fields)
    await whole.slots.fill(ctx)
    return { text: new SharedBytes(JSON.stringify(copy)), size: whole.sizes.of(answer) }
  }
  return new RelatedTexts(ctx, { slots: textSlots, sizes, make })
}

async function presentRelated(
  ctx: Context,
  documents: readonly Document[],
  {
    by: { field: from, access: to, project: wanted },
    ...level
  }: Omit<Level, 'plan' | 'isOpened' | 'scope' | 'texts'> & { readonly by: ShownBy },
): Promise<ReadonlyMap<DocId, JsonObject>> {
  const { withRelationships } = relatedOptionsOf(from)
  const isOpened: Deeper = (field) => {
    const isNamed = Array.isArray(withRelationships) && withRelationships.includes(field.name)
    // Documents may relate to each other in cycles: no relationship is filled in three times along one path.
    return (withRelationships === true || isNamed) && level.above.filter((one) => one === field).length < 2
  }
  const { locale, mode } = to.view
  const scope = { locale: to.fallbackOf ?? locale, mode }
  const declared = to.shown.kind === 'minimal' ? null : projectionOf(from)
  const plan = planOf(ctx, { access: to.shown, project: bothOf(wanted, declared) })
  const answers = await presentLevel(ctx, documents, { ...level, plan, isOpened, scope, texts: null })
  if (to.fallbackOf !== undefined) for (const answer of answers) answer._fallback = to.view.locale
  return new Map(answers.map((answer) => [String(answer.aposDocId), answer]))
}

/** The projection that a relationship declares; null for everything. */
const projectionOf = oncePer((relationship: Field): Projection | null => {
  const names = relatedOptionsOf(relationship).builders?.project
  return names ? onlyNames(Object.keys(names).filter((name) => names[name])) : null
})

interface RelatedOptions {
  readonly builders?: { readonly project?: { readonly [name: string]: unknown } }
  readonly withRelationships?: boolean | readonly string[]
}

function relatedOptionsOf({ options }: Field): RelatedOptions {
  // `as`: both relationship types declare these options.
  return options as RelatedOptions
}
