import { about, type CmsError, conflict, invalidField } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { cutText, joinSlug, SLUG_LENGTH, slugify } from '../../base/text.ts'
import { firstFree, needsNumber, reservedBy, tooLong, withNumber } from '../../model/declared/reserved-slugs.ts'
import type { Type } from '../../model/declared/types.ts'
import type { OpenCopies } from '../../model/terms/document.ts'
import type { Mode } from '../../model/terms/document-id.ts'
import type { Scope, StoreReader } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import type { Reason } from '../events.ts'
import { type Change, type ChangedFields, copiesAfter, MODES, mapFields, putsOf } from './change.ts'

/**
 * The slug of a document for which none was given: made from its title (§2.12), for pages below their parent's, and
 * cut where it would be too long. Throws `invalid` when no room is left for the page's own part below its parent.
 */
function slugOf(type: Type, title: string, parentSlug = '/'): string {
  const own = slugify(title) || 'none'
  if (type.family !== 'page') return withPrefix(type, own)
  const slug = slugify(joinSlug(parentSlug, own), { allow: '/' })
  if (slug.length <= parentSlug.length) throw tooLong(joinSlug(parentSlug, own))
  return slug
}

/** A given slug in its stored form: cleaned by its field, with the type's prefix. */
function withPrefix(type: Type, slug: string): string {
  return slug.startsWith(type.slugPrefix) ? slug : cutText(`${type.slugPrefix}${slug}`, SLUG_LENGTH)
}

/** The fields with a slug in its stored form; an empty one is made from the title. */
export function withWholeSlug(type: Type, fields: JsonObject, parentSlug?: string): JsonObject {
  const slug =
    fields.slug === '' ? slugOf(type, String(fields.title), parentSlug) : withPrefix(type, String(fields.slug))
  return slug === fields.slug ? fields : { ...fields, slug }
}

/**
 * The fields of a draft without a slug, where it was never published, and the slug that it had was made from the title
 * that it had: then the slug follows the new title (§2.12).
 */
export function withoutFormerSlug(
  type: Type,
  { draft, published }: OpenCopies,
  { fields, parentSlug = '/' }: { readonly fields: JsonObject; readonly parentSlug?: string | undefined },
): JsonObject {
  if (draft === null || draft.wasPublished || published !== null) return fields
  const [slug, { title }] = [String(fields.slug), draft.fields]
  const isBelow = type.family !== 'page' || slug.startsWith(joinSlug(parentSlug, ''))
  if (fields.title === title || slug !== draft.fields.slug || !isBelow) return fields
  const made = slugOf(type, String(title), parentSlug)
  const isMade = slug === made || slug === withNumber(made, /-(?:[2-9]|[1-9]\d+)$/.exec(slug)?.[0] ?? '')
  return isMade && slugOf(type, String(fields.title), parentSlug) !== made ? { ...fields, slug: '' } : fields
}

/** The saves in which somebody gives a page a slug; all others keep what is there, whatever it is. */
const CHOOSING: ReadonlySet<Reason> = new Set(['inserted', 'saved', 'localized'])

/**
 * Makes sure that new slugs of pages can be reached (§4.2b). One that was given and cannot be is refused (`invalid`,
 * naming the field); one that the service made gets a number, and the slugs below such a page follow it.
 */
export function withReachableSlugs({ site }: Pick<Context, 'site'>, change: Change): Change {
  const { type, locale, before, takenSlug, reason } = change
  if (type.family !== 'page' || !CHOOSING.has(reason)) return change
  const fields: { [mode in Mode]?: JsonObject } = { ...change.fields }
  for (const mode of MODES) {
    const values = fields[mode]
    const slug = String(values?.slug ?? '')
    const isNew = values !== undefined && values.archived !== true && slug !== before[mode]?.fields.slug
    const reserved = isNew ? reservedBy(site, locale, slug) : null
    if (reserved === null) continue
    if (takenSlug !== 'number') throw unreachable(slug, reserved.slug)
    fields[mode] = { ...values, slug: firstFree(slug, (one) => needsNumber(site, locale, one)) }
  }
  return { ...change, fields }
}

/** `invalid` for a given slug of a page that is not for pages, naming the field. */
export function unreachable(slug: string, reserved: string): CmsError {
  const message = `A page with the slug "${slug}" would never be reached: "${reserved}" is not for pages here. Choose another one.`
  return invalidField('slug', message)
}

/** Longer slugs are looked up by a shorter form, which does not begin as they do. */
const LONGEST_STEM = 280

const NUMBER_LENGTH = 6

/**
 * Stores the copies of a new document, which get one slug; those of an import keep theirs. A generated slug that is taken
 * gets a number, a given one is a conflict.
 */
export async function storeNew(ctx: WriteContext, change: Change): Promise<OpenCopies> {
  const first = change.origins ? change : withOneSlug(change)
  for (let candidate = first; ; ) {
    const after = copiesAfter(ctx, candidate)
    if (await ctx.tx.documents.insert(putsOf(change.type, change.before, after))) return after
    await assertStillNew(ctx, change)
    const { title } = change.fields.draft ?? change.fields.published ?? {}
    if (change.takenSlug !== 'number') throw about(slugConflict(slugIn(change.fields)), change.type.name, title)
    candidate = await withFreeSlugsIn(ctx, first, scopesOf(first))
  }
}

/** The document itself may have been created in this locale at the same moment by another caller. */
async function assertStillNew(ctx: WriteContext, { docId, locale }: Change): Promise<void> {
  const { draft, published } = await ctx.tx.documents.lockCopies(docId, locale)
  if (draft || published)
    throw conflict('Another caller created this document just now. Read it, then repeat your change.')
}

/**
 * Makes sure that new slugs of a stored document are free. The database refuses taken ones by itself, so this looks
 * only on the second attempt: nearly always there is nothing to find.
 */
export async function withFreeSlugs(ctx: WriteContext, change: Change): Promise<Change> {
  if (ctx.attempt === 1) return change
  const changed = scopesOf(change).filter(({ mode }) => slugOfFields(change.fields[mode]) !== takenBy(change, mode))
  return withFreeSlugsIn(ctx, change, changed)
}

/**
 * Both copies mostly have one slug, and then they get one number; each keeps its own where they differ. What is imported
 * as published keeps its slug where only drafts have it.
 */
async function withFreeSlugsIn(ctx: WriteContext, change: Change, changed: readonly Scope[]): Promise<Change> {
  const fields: { [mode in Mode]?: JsonObject } = { ...change.fields }
  for (const [slug, scopes] of Map.groupBy(changed, ({ mode }) => slugOfFields(change.fields[mode]) ?? '')) {
    if (change.takenSlug !== 'number') await assertFreeSlug(ctx, change, { slug, scopes })
    const live = change.origins ? scopes.filter(({ mode }) => mode === 'published') : []
    const keeps = live.length > 0 && !(await takenSlugs(ctx.tx.read, change, { slug, scopes: live })).has(slug)
    const numbered = scopes.filter((scope) => !keeps || !live.includes(scope))
    const free = change.takenSlug === 'number' ? await freeSlug(ctx, change, { slug, scopes: numbered }) : slug
    for (const { mode } of numbered) fields[mode] = { ...fields[mode], slug: free }
  }
  return { ...change, fields }
}

/** The slug that a stored copy occupies; archived copies occupy none. */
function takenBy(change: Change, mode: Mode): string | null {
  const before = change.before[mode]
  return before === null || before.fields.archived === true ? null : slugOfFields(before.fields)
}

function scopesOf(change: Change): Scope[] {
  return MODES.filter((mode) => change.fields[mode] !== undefined).map((mode) => {
    return { type: change.type.name, locale: change.locale, mode }
  })
}

function slugIn(fields: ChangedFields): string {
  return slugOfFields(fields.draft ?? fields.published) ?? ''
}

function slugOfFields(fields: JsonObject | undefined): string | null {
  return typeof fields?.slug === 'string' ? fields.slug : null
}

/** A change that makes a document, all of whose copies get one slug: the draft's, where none is given. */
export function withOneSlug(change: Change, slug = slugIn(change.fields)): Change {
  const withSlug = (values: JsonObject) => (values.slug === slug ? values : { ...values, slug })
  return { ...change, fields: mapFields(change.fields, withSlug) }
}

/** A slug, and where it has to be free. */
interface ScopedSlug {
  readonly slug: string
  readonly scopes: readonly Scope[]
}

/** The slug itself when it is free in all scopes, else the first free one of `-2`, `-3`… One statement each. */
async function freeSlug(ctx: WriteContext, change: Change, scoped: ScopedSlug): Promise<string> {
  const taken = await takenSlugs(ctx.tx.read, change, scoped)
  return firstFree(scoped.slug, (one) => taken.has(one))
}

/** Throws `conflict`, naming the field, when another document has the slug in one of the scopes. */
async function assertFreeSlug(ctx: WriteContext, change: Change, scoped: ScopedSlug): Promise<void> {
  if ((await takenSlugs(ctx.tx.read, change, scoped)).has(scoped.slug)) throw slugConflict(scoped.slug)
}

/** `conflict` for a slug that another document has. */
function slugConflict(slug: string): CmsError {
  const message = `Another document has the slug "${slug}". Choose another one.`
  return conflict(message, { errors: [{ path: 'slug', name: 'unique', message }] })
}

/** The slugs that other documents have in some scopes, among those that begin as one does. */
export async function takenSlugs(
  { documents }: Pick<StoreReader, 'documents'>,
  { docId }: Pick<Change, 'docId'>,
  { slug, scopes }: ScopedSlug,
): Promise<Set<string>> {
  const stem = stemOf(slug)
  const taken = new Set<string>()
  for (const scope of scopes) {
    for (const other of await documents.slugsLike(scope, stem, docId)) taken.add(other)
  }
  return taken
}

/** The common beginning of a slug and its numbered forms, which lose characters near the length limit. */
function stemOf(slug: string): string {
  const ownStart = slug.lastIndexOf('/') + 1
  return cutText(slug, Math.min(LONGEST_STEM, ownStart + SLUG_LENGTH - NUMBER_LENGTH))
}
