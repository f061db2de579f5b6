import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import type { DocId, Document } from '../../model/terms/document.ts'
import type { RelatedText } from '../answer-caching.ts'
import type { Context } from '../context.ts'
import { AttachmentSlots } from '../media/attachments.ts'
import type { ReadAccess } from '../permissions.ts'
import { MINIMAL, type RelatedBy, withFields } from '../related.ts'
import { SharedBytes, type TextSlots } from '../shared-bytes.ts'
import { pageUrl } from './document-url.ts'
import { pieceUrls } from './piece-urls.ts'
import { ALWAYS, MINIMAL_ANSWER, type Plan, planOf } from './plan.ts'
import { type Filling, populate, type TextFilling } from './populate.ts'
import { prepare, type RelationshipSlot } from './prepare.ts'
import { onlyNames, type Projection } from './projection.ts'
import { RelatedSize, type WhenTooLong } from './related-size.ts'
import { RelatedTexts } from './related-texts.ts'
import { shownValues } from './shown-values.ts'

const SHORT = [...ALWAYS, ...MINIMAL]

/** How documents of one type are shown to the caller. */
export interface Presentation {
  readonly type: Type
  readonly access: ReadAccess
  /** The request's own projection; null for everything that the caller may see. */
  readonly project: Projection | null
  /** Areas will be rendered: those of related documents too, so what their widgets relate to is filled in. */
  readonly isRendered?: boolean
  /** `refuse` when left out. Answers to writes are never refused for their length. */
  readonly whenRelatedTooLong?: WhenTooLong
  /** The sizes of the whole answer, of which these documents are a part. */
  readonly sizes?: RelatedSize
  /** For answers that become text: takes the cached texts of related documents, which the answer then refers to. */
  readonly textSlots?: TextSlots
}

/**
 * Documents → JSON for the caller (§2.1): hidden fields left out, relationships filled in one level deep (deeper where
 * a relationship says so), annotations added. All documents must have one type, locale and mode. Their fields become
 * part of the answer: do not use the documents afterwards.
 */
export async function present(
  ctx: Context,
  documents: readonly Document[],
  presentation: Presentation,
): Promise<JsonObject[]> {
  const slots = new AttachmentSlots()
  const sizes = presentation.sizes ?? new RelatedSize(presentation.whenRelatedTooLong ?? 'refuse', shortened)
  const plan = planOf(ctx, presentation)
  const answers = await presentLevel(ctx, documents, plan, {
    isOpened: allRelationships,
    isRendered: presentation.isRendered ?? false,
    above: [],
    slots,
    sizes,
    texts: presentation.textSlots && !plan.hasHooks ? relatedTexts(ctx, presentation.textSlots, sizes) : null,
  })
  await slots.fill(ctx)
  return answers
}

/** Decides which relationships of a level are filled in. */
type Deeper = (field: Field) => boolean
const allRelationships: Deeper = () => true

/** What all levels of an answer share. */
interface Gathered {
  readonly slots: AttachmentSlots
  readonly sizes: RelatedSize
  readonly isRendered: boolean
}

/** One level of an answer: its documents, or those related to the level above. */
interface Level extends Gathered {
  readonly isOpened: Deeper
  /** Fills in related documents as text; null to fill them in as objects. */
  readonly texts: TextFilling | null
  /** The relationships that led here. */
  readonly above: readonly Field[]
}

async function presentLevel(
  ctx: Context,
  documents: readonly Document[],
  plan: Plan,
  level: Level,
): Promise<JsonObject[]> {
  const [first] = documents
  if (first === undefined) return []
  const relationships: RelationshipSlot[] = []
  const urlsOf = plan.pieceUrls.length > 0 ? await pieceUrls(ctx, plan.type, first.id) : null
  const answers = documents.map((document) => {
    const url = plan.hasPageUrl ? pageUrl(ctx, document.id.locale, String(document.fields.slug)) : null
    const answer = shownValues(document, plan, url)
    if (urlsOf) addUrls(answer, plan, urlsOf(document))
    if (level.above.length > 0) level.sizes.measure(answer)
    prepare({ ...level, plan, docId: document.id.docId, answer, relationships })
    if (plan.isMedia) level.slots.addPiece(answer, document.fields.attachment)
    return answer
  })
  if (relationships.length > 0) await populate(ctx, first.id, relationships, fillingOf(ctx, level))
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
    present: (related, by) => presentRelated(ctx, related, by, { ...level, above: [...above, by.field] }),
    placed: (related, answer) => {
      const placed = sizes.place(related, answer, above.length === 0)
      if (placed !== related) slots.copied(related, placed, {})
      return placed
    },
    copied: (...copy) => slots.copied(...copy),
  }
}

/** Null while nothing can be cached: then making each text by itself would cost more. */
function relatedTexts(ctx: Context, slots: TextSlots, sizes: RelatedSize): TextFilling | null {
  if (!ctx.caches.related.isOn) return null
  return new RelatedTexts(ctx, {
    slots,
    sizes,
    make: (document, by, fields) => relatedText(ctx, document, by, fields),
  })
}

async function relatedText(ctx: Context, document: Document, by: RelatedBy, fields: JsonObject): Promise<RelatedText> {
  const gathered = { slots: new AttachmentSlots(), sizes: new RelatedSize('refuse'), isRendered: false }
  const shown = await presentRelated(ctx, [document], by, { ...gathered, above: [by.field] })
  const answer = shown.get(document.id.docId) ?? {}
  const copy = withFields(answer, fields)
  gathered.slots.copied(answer, copy, fields)
  await gathered.slots.fill(ctx)
  return { text: new SharedBytes(JSON.stringify(copy)), size: gathered.sizes.of(answer) }
}

/** The short form of a related document: what identifies it. */
function shortened(document: JsonObject): JsonObject {
  return Object.fromEntries(SHORT.flatMap((name) => (name in document ? [[name, document[name] ?? null]] : [])))
}

async function presentRelated(
  ctx: Context,
  documents: readonly Document[],
  { field: from, access: to }: RelatedBy,
  level: Omit<Level, 'isOpened' | 'texts'>,
): Promise<ReadonlyMap<DocId, JsonObject>> {
  const { withRelationships } = relatedOptionsOf(from)
  const isOpened: Deeper = (field) => {
    const isNamed = Array.isArray(withRelationships) && withRelationships.includes(field.name)
    // Documents may relate to each other in cycles: no relationship is filled in three times along one path.
    return (withRelationships === true || isNamed) && level.above.filter((one) => one === field).length < 2
  }
  const access: ReadAccess = { fields: to.fields === 'full' ? 'full' : 'public', visibility: to.view.visibility }
  const project = to.fields === 'minimal' ? MINIMAL_ANSWER : projectionOf(from)
  const answers = await presentLevel(ctx, documents, planOf(ctx, { type: to.type, access, project }), {
    ...level,
    isOpened,
    texts: null,
  })
  return new Map(answers.map((answer) => [String(answer.aposDocId), answer]))
}

const projections = new WeakMap<Field, Projection | null>()

/** The projection that a relationship declares; null for everything. */
function projectionOf(relationship: Field): Projection | null {
  const known = projections.get(relationship)
  if (known !== undefined) return known
  const names = relatedOptionsOf(relationship).builders?.project
  const projection = names ? onlyNames(Object.keys(names).filter((name) => names[name])) : null
  projections.set(relationship, projection)
  return projection
}

interface RelatedOptions {
  readonly builders?: { readonly project?: { readonly [name: string]: unknown } }
  readonly withRelationships?: boolean | readonly string[]
}

function relatedOptionsOf({ options }: Field): RelatedOptions {
  // `as`: both relationship types declare these options.
  return options as RelatedOptions
}
