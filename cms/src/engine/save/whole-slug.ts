import { type CmsError, invalid } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { cutText, isSlugTooLong, PAGE_SLUG_LENGTH, SLUG_LENGTH, slugify } from '../../base/text.ts'
import type { Type } from '../../model/declared/types.ts'

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

/** A page's slug below another one: the home page's is `/`. */
export function joinSlug(parentSlug: string, part: string): string {
  return `${parentSlug === '/' ? '' : parentSlug}/${part}`
}

/** A given slug in its stored form: cleaned by its field, with the type's prefix. */
function withPrefix(type: Type, slug: string): string {
  return slug.startsWith(type.slugPrefix) ? slug : cutText(`${type.slugPrefix}${slug}`, SLUG_LENGTH)
}

/** The fields with a slug in its stored form; an emptied one is made from the title anew. */
export function withWholeSlug(type: Type, fields: JsonObject, parentSlug?: string): JsonObject {
  const slug =
    fields.slug === '' ? slugOf(type, String(fields.title), parentSlug) : withPrefix(type, String(fields.slug))
  return slug === fields.slug ? fields : { ...fields, slug }
}

/** The slug itself when it is not taken, else the first of `-2`, `-3`… that is not; cut to make room for the number. */
export function firstFree(slug: string, isTaken: (slug: string) => boolean): string {
  const ownStart = slug.lastIndexOf('/') + 1
  const most = Math.min(ownStart + SLUG_LENGTH, slug.startsWith('/') ? PAGE_SLUG_LENGTH : SLUG_LENGTH)
  return firstOf(slug, (suffix) => cutText(slug, most - suffix.length) + suffix, isTaken)
}

/** As `firstFree`, but for a page's slug that must stay whole: throws `invalid` where it would be too long. */
export function firstFreeWhole(slug: string, isTaken: (slug: string) => boolean): string {
  const free = firstOf(slug, (suffix) => slug + suffix, isTaken)
  if (isSlugTooLong(free, { allow: '/' })) throw tooLong(free)
  return free
}

function firstOf(slug: string, numbered: (suffix: string) => string, isTaken: (slug: string) => boolean): string {
  let candidate = slug
  for (let number = 2; isTaken(candidate); number += 1) candidate = numbered(`-${number}`)
  return candidate
}

function tooLong(slug: string): CmsError {
  const message = `The slug of a page would become too long: ${cutText(slug, 80)}… Give it or a page above it a shorter one.`
  return invalid(message, { errors: [{ path: 'slug', name: 'max', message }] })
}
