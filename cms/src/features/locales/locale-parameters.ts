import { invalid } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import type { Locale } from '../../model/terms/document.ts'

/** The locale of the site that a parameter names. Throws `invalid` for anything else. */
export function localeNamed({ site }: Pick<Context, 'site'>, name: unknown): Locale {
  if (typeof name === 'string' && site.locales.has(name)) return name
  throw invalid(`"locale" must name a locale of this site: ${[...site.locales.keys()].join(', ')}.`)
}

/** A text in the body, else in the query; undefined when it is in neither. Anything but a text is `invalid`. */
export function parameter({ body, query }: Pick<RouteRequest, 'body' | 'query'>, name: string): string | undefined {
  const value = own(body, name) ?? own(query, name)
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
  throw invalid(`"${name}" takes one text.`)
}
