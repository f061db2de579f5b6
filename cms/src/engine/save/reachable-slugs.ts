import { invalidFields } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { needsNumber, reservedBy } from '../../model/declared/reserved-slugs.ts'
import type { Mode } from '../../model/terms/document.ts'
import type { Context } from '../context.ts'
import type { Reason } from '../events.ts'
import { type Change, MODES } from './change.ts'
import { firstFree } from './whole-slug.ts'

/** The saves in which somebody gives a page a slug; all others keep what is there, whatever it is. */
const CHOOSING: ReadonlySet<Reason> = new Set(['inserted', 'saved', 'localized'])

/**
 * Makes sure that new slugs of pages can be reached (§4.2b). One that was given and cannot be is refused (`invalid`,
 * naming the field); one that the service made gets a number, and the slugs below such a page follow it.
 */
export function withReachableSlugs({ site }: Pick<Context, 'site'>, change: Change): Change {
  const { type, locale, before, madeSlug, reason } = change
  if (type.family !== 'page' || !CHOOSING.has(reason)) return change
  const fields: { [mode in Mode]?: JsonObject } = { ...change.fields }
  for (const mode of MODES) {
    const values = fields[mode]
    const slug = String(values?.slug ?? '')
    const isNew = values !== undefined && values.archived !== true && slug !== before[mode]?.fields.slug
    const reserved = isNew ? reservedBy(site, locale, slug) : null
    if (reserved === null) continue
    if (!madeSlug) throw unreachable(slug, reserved.slug)
    fields[mode] = { ...values, slug: firstFree(slug, (one) => needsNumber(site, locale, one)) }
  }
  return { ...change, fields }
}

function unreachable(slug: string, reserved: string) {
  const message = `A page with the slug "${slug}" would never be reached: "${reserved}" is not for pages here. Choose another one.`
  return invalidFields([{ path: 'slug', name: 'invalid', message }])
}
