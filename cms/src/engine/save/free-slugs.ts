import { type CmsError, conflict } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { cutText, SLUG_LENGTH } from '../../base/text.ts'
import type { Copies, Mode } from '../../model/terms/document.ts'
import type { Scope } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'
import { type Change, type ChangedFields, MODES, mapFields, putsOf } from './change.ts'
import { firstFree } from './whole-slug.ts'

/** Longer slugs are looked up by a shorter form, which does not begin as they do. */
const LONGEST_STEM = 280
const NUMBER_LENGTH = 6

/** Stores the copies of a new document; a generated slug that is taken gets a number, a given one is a conflict. */
export async function storeNew(
  ctx: WriteContext,
  change: Change,
  build: (ctx: WriteContext, change: Change) => Copies,
): Promise<Copies> {
  const slug = slugIn(change.fields)
  for (let candidate = slug; ; ) {
    const after = build(ctx, withOneSlug(change, candidate))
    if (await ctx.tx.documents.insert(putsOf(change.type, change.before, after))) return after
    await assertStillNew(ctx, change)
    if (!change.madeSlug) throw slugConflict(slug)
    candidate = await freeSlug(ctx, scopesOf(change), slug, change.docId)
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
  const fields: { [mode in Mode]?: JsonObject } = { ...change.fields }
  // Both copies mostly have one slug, and then they get one number; each keeps its own where they differ.
  for (const [slug, scopes] of Map.groupBy(changed, ({ mode }) => slugOfFields(change.fields[mode]) ?? '')) {
    if (!change.madeSlug) await assertFreeSlug(ctx, scopes, slug, change.docId)
    const free = change.madeSlug ? await freeSlug(ctx, scopes, slug, change.docId) : slug
    for (const { mode } of scopes) fields[mode] = { ...fields[mode], slug: free }
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

/** The slug itself when it is free in all scopes, else the first free one of `-2`, `-3`… One statement each. */
async function freeSlug(ctx: WriteContext, scopes: readonly Scope[], slug: string, docId: string): Promise<string> {
  const taken = await takenSlugs(ctx, scopes, slug, docId)
  return firstFree(slug, (one) => taken.has(one))
}

/** Throws `conflict`, naming the field, when another document has the slug in one of the scopes. */
async function assertFreeSlug(ctx: WriteContext, scopes: readonly Scope[], slug: string, docId: string): Promise<void> {
  if ((await takenSlugs(ctx, scopes, slug, docId)).has(slug)) throw slugConflict(slug)
}

/** `conflict` for a slug that another document has. */
function slugConflict(slug: string): CmsError {
  const message = `Another document has the slug "${slug}". Choose another one.`
  return conflict(message, { errors: [{ path: 'slug', name: 'unique', message }] })
}

async function takenSlugs(
  ctx: WriteContext,
  scopes: readonly Scope[],
  slug: string,
  docId: string,
): Promise<Set<string>> {
  const stem = stemOf(slug)
  const taken = new Set<string>()
  for (const scope of scopes) {
    for (const other of await ctx.tx.read.documents.slugsLike(scope, stem, docId)) taken.add(other)
  }
  return taken
}

/** The common beginning of a slug and its numbered forms, which lose characters near the length limit. */
function stemOf(slug: string): string {
  const ownStart = slug.lastIndexOf('/') + 1
  return cutText(slug, Math.min(LONGEST_STEM, ownStart + SLUG_LENGTH - NUMBER_LENGTH))
}
