import { attributes, type Html, html } from '../../base/html.ts'
import { isObject, own } from '../../base/json.ts'
import { languageTag } from '../../base/text.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Locale } from '../../model/terms/document-id.ts'

/** The locale whose document, or field of the global document, is shown in place of a missing one (§4.5); null for none. */
export function fallbackIn(document: unknown, field?: string): Locale | null {
  if (!isObject(document)) return null
  const { _fallback, _fallbacks } = document
  const locale = field !== undefined && isObject(_fallbacks) ? own(_fallbacks, field) : _fallback
  return typeof locale === 'string' ? locale : null
}

/** The attributes `lang` and `dir` for what is shown in another locale than the page; nothing for all else. */
export function fallbackLanguage({ locales }: Pick<Site, 'locales'>, document: unknown, field?: string): Html {
  const locale = fallbackIn(document, field)
  if (locale === null) return html``
  return attributes({ lang: languageTag(locale), dir: locales.get(locale)?.direction ?? 'ltr' })
}
