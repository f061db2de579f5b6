import { conflict } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Copies, Mode } from '../../model/document.ts'
import type { Scope } from '../../store/store.ts'
import type { WriteContext } from '../context.ts'
import { type Change, type ChangedFields, MODES, putsOf } from './change.ts'
import { assertFreeSlug, freeSlug, slugConflict } from './slug.ts'

/** Stores the copies of a new document; a slug of our making that is taken gets a number, a given one is a conflict. */
export async function storeNew(
  ctx: WriteContext,
  change: Change,
  build: (ctx: WriteContext, change: Change) => Copies,
): Promise<Copies> {
  const slug = slugIn(change.fields)
  for (let candidate = slug; ; ) {
    const after = build(ctx, { ...change, fields: withSlug(change.fields, candidate) })
    if (await ctx.tx.documents.insert(putsOf(change.type, change.before, after))) return after
    await assertStillNew(ctx, change)
    if (!change.madeSlug) throw slugConflict(slug)
    candidate = await freeSlug(ctx, scopesOf(change), slug, change.docId)
  }
}

/** The document itself may have been made at the same moment, in this locale, by somebody else. */
async function assertStillNew(ctx: WriteContext, { docId, locale }: Change): Promise<void> {
  const { draft, published } = await ctx.tx.documents.copies(docId, locale)
  if (draft || published) throw conflict('Somebody else made this document just now. Read it, then repeat your change.')
}

/**
 * Makes sure that new slugs of a stored document are free. The database refuses taken ones by itself, so this looks
 * only on the second attempt: nearly always there is nothing to find.
 */
export async function placeSlugs(ctx: WriteContext, change: Change): Promise<Change> {
  if (ctx.attempt === 1) return change
  const scopes = scopesOf(change).filter(({ mode }) => slugOfFields(change.fields[mode]) !== takenBy(change, mode))
  const fields: { [mode in Mode]?: JsonObject } = { ...change.fields }
  // Both copies mostly have one slug, and then they get one number; each keeps its own where they differ.
  for (const [slug, places] of Map.groupBy(scopes, ({ mode }) => slugOfFields(change.fields[mode]) ?? '')) {
    if (!change.madeSlug) await assertFreeSlug(ctx, places, slug, change.docId)
    const free = change.madeSlug ? await freeSlug(ctx, places, slug, change.docId) : slug
    for (const { mode } of places) fields[mode] = { ...fields[mode], slug: free }
  }
  return { ...change, fields }
}

/** The slug a stored copy holds; archived copies hold none. */
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

function withSlug(fields: ChangedFields, slug: string): ChangedFields {
  return Object.fromEntries(Object.entries(fields).map(([mode, values]) => [mode, { ...values, slug }]))
}
