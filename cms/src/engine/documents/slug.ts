import { conflict } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { slugify } from '../../base/text.ts'
import type { Type } from '../../model/types.ts'
import type { Scope } from '../../store/store.ts'
import type { WriteContext } from '../context.ts'

/** Characters of a slug at most. */
export const MAX_LENGTH = 200

/** The slug that a document gets when nobody gave one: made from its title (decisions 2, Slugs), for pages below their parent's. */
export function slugOf(type: Type, title: string, parentSlug = '/'): string {
  const own = slugify(title) || 'none'
  return type.family === 'page' ? joinSlug(parentSlug, own) : withPrefix(type, own)
}

/** A page's slug below another one: the home page's is `/`. */
export function joinSlug(parentSlug: string, part: string): string {
  return `${parentSlug === '/' ? '' : parentSlug}/${part}`.slice(0, MAX_LENGTH)
}

/** A given slug in its stored form: cleaned by its field, with the type's prefix. */
function withPrefix(type: Type, slug: string): string {
  return slug.startsWith(type.slugPrefix) ? slug : `${type.slugPrefix}${slug}`.slice(0, MAX_LENGTH)
}

/** The fields with a slug in its stored form; an emptied one is made from the title anew. */
export function withWholeSlug(type: Type, fields: JsonObject, parentSlug?: string): JsonObject {
  const slug =
    fields.slug === '' ? slugOf(type, String(fields.title), parentSlug) : withPrefix(type, String(fields.slug))
  return slug === fields.slug ? fields : { ...fields, slug }
}

/** The slug itself when it is free in all places, else the first free one of `-2`, `-3`… One statement a place. */
export async function freeSlug(
  ctx: WriteContext,
  places: readonly Scope[],
  slug: string,
  docId: string,
): Promise<string> {
  const taken = await takenSlugs(ctx, places, slug, docId)
  return firstFree(slug, (one) => taken.has(one))
}

/** The slug itself when it is not taken, else the first of `-2`, `-3`… that is not. */
export function firstFree(slug: string, isTaken: (slug: string) => boolean): string {
  for (let number = 2, candidate = slug; ; number += 1) {
    if (!isTaken(candidate)) return candidate
    const ending = `-${number}`
    candidate = slug.slice(0, MAX_LENGTH - ending.length) + ending
  }
}

/** Throws `conflict`, naming the field, when another document has the slug in one of the places. */
export async function assertFreeSlug(
  ctx: WriteContext,
  places: readonly Scope[],
  slug: string,
  docId: string,
): Promise<void> {
  if ((await takenSlugs(ctx, places, slug, docId)).has(slug)) throw slugConflict(slug)
}

/** `conflict` for a slug that another document has. */
export function slugConflict(slug: string) {
  const message = `Another document has the slug "${slug}". Choose another one.`
  return conflict(message, { errors: [{ path: 'slug', name: 'unique', message }] })
}

async function takenSlugs(
  ctx: WriteContext,
  places: readonly Scope[],
  slug: string,
  docId: string,
): Promise<Set<string>> {
  const stem = slug.slice(0, MAX_LENGTH - 6)
  const taken = new Set<string>()
  for (const place of places) {
    for (const other of await ctx.tx.documents.slugsLike(place, stem, docId)) taken.add(other)
  }
  return taken
}
