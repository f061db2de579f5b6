import { invalid, notFound } from '../base/errors.ts'
import type { Context } from '../engine/context.ts'
import type { Actor } from '../engine/permissions.ts'
import { isMode, type Locale, type Mode } from '../model/document.ts'
import type { Site } from '../model/types.ts'
import { textParameter } from './input.ts'
import type { QueryValues } from './route.ts'

/** The locale and mode a request asks for, as the context carries them. */
export type Wanted = Pick<Context, 'locale' | 'mode' | 'asked'>

/** What the server must know of the site's locales. */
export type SiteLocales = Pick<Site, 'locales' | 'defaultLocale'>

/**
 * Reads locale and mode. By rising weight: host name and path prefix (`byPlace`), an id (later, by the engine), the query
 * (decisions 4.5). Unknown ones are `invalid`, naming those there are; a private locale is `notfound` to strangers.
 */
export function wantedOf(site: SiteLocales, query: QueryValues, byPlace: Locale | null, actor: Actor): Wanted {
  const asked = askedOf(site, query, actor)
  const locale = asked.locale ?? byPlace ?? site.defaultLocale
  if (isHidden(site, locale, actor)) throw notFound()
  return { locale, mode: asked.mode ?? 'published', asked }
}

function askedOf(site: SiteLocales, query: QueryValues, actor: Actor): Wanted['asked'] {
  const [locale = null, mode = null, ...rest] = textParameter(query, 'aposLocale')?.split(':') ?? []
  if (rest.length > 0 || (locale !== null && !site.locales.has(locale))) throw unknownLocale(site, actor)
  const inLocale = modeOf(mode, 'aposLocale')
  return { locale, mode: modeOf(textParameter(query, 'aposMode') ?? null, 'aposMode') ?? inLocale }
}

function modeOf(text: string | null, name: string): Mode | null {
  if (text === null || isMode(text)) return text
  throw invalid(`The mode in "${name}" must be "draft" or "published".`)
}

function unknownLocale(site: SiteLocales, actor: Actor): Error {
  const names = [...site.locales.keys()].filter((name) => !isHidden(site, name, actor))
  return invalid(`"aposLocale" names no locale of this site. It can be: ${names.join(', ')}.`)
}

function isHidden(site: SiteLocales, locale: Locale, actor: Actor): boolean {
  return actor.kind === 'anonymous' && site.locales.get(locale)?.private === true
}
