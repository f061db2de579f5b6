import { z } from 'zod'
import { didYouMean } from '../../base/did-you-mean.ts'
import { own } from '../../base/json.ts'
import { STEMMED_LANGUAGES } from '../../base/stems.ts'
import { normalized } from '../../base/text.ts'
import type { LocaleOptions } from '../declared/types.ts'
import type { Report } from '../terms/configuration-error.ts'
import type { Locale } from '../terms/document-id.ts'
import { isPrototypeName } from '../terms/property-labels.ts'

/** A locale as declared (§4.5). */
export const LOCALE = z.strictObject({
  label: z.string().min(1),
  prefix: z
    .string()
    .regex(/^(\/[\p{L}\p{N}_-]+)?$/u, 'must begin with "/" and be one step, such as "/fr"')
    .default(''),
  hostname: z
    .string()
    .regex(/^[a-z0-9.-]+(:\d+)?$/, 'must be a host name in lower case, without "https://"')
    .optional(),
  private: z.boolean().default(false),
  direction: z.enum(['ltr', 'rtl']).default('ltr'),
  language: z.string().optional(),
  fallback: z.string().optional(),
})

type Declared = { readonly [name: string]: z.infer<typeof LOCALE> }

/** The locales of a site; mistakes are reported below `locales`. */
export function compileLocales(declared: Declared, report: Report): ReadonlyMap<Locale, LocaleOptions> {
  const locales = Object.entries(declared).map(([name, options]) => ({
    name,
    ...options,
    prefix: encodeURI(normalized(options.prefix, 'NFC')),
    hostname: options.hostname ?? null,
    language: options.language ?? languageOf(name),
    fallbacks: fallbacksOf(name, declared, report),
  }))
  if (locales.length === 0) report('', 'a site has at least one locale')
  const tags = locales.map(({ name }) => name.toLowerCase().replaceAll('_', '-'))
  for (const [index, { name, prefix, language }] of locales.entries()) {
    if (declared[name]?.language !== undefined && !STEMMED_LANGUAGES.includes(language)) {
      const known = `it is one of ${STEMMED_LANGUAGES.join(', ')}`
      report(`${name}.language`, `"${language}" has no stems${didYouMean(language, STEMMED_LANGUAGES)}; ${known}`)
    }
    if (!/^[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i.test(name) || isPrototypeName(name)) {
      report(name, 'a locale is named like "en" or "fr-CA"')
    }
    if (prefix === '/api' || prefix === '/uploads') {
      report(`${name}.prefix`, `"${prefix}" is where the service itself answers`)
    }
    const first = tags.indexOf(tags[index] ?? '')
    if (first < index) report(name, `"${locales[first]?.name}" names the same language`)
  }
  const withHost = locales.filter(({ hostname }) => hostname !== null)
  if (withHost.length > 0 && withHost.length < locales.length) {
    report('', 'either all locales have a hostname or none')
  } else {
    checkAddresses(locales, report)
  }
  return new Map(locales.map((locale) => [locale.name, locale]))
}

/** The locales that one falls back to, the nearest first (§4.5). */
function fallbacksOf(name: Locale, declared: Declared, report: Report): Locale[] {
  const found: Locale[] = []
  let next = own(declared, name)?.fallback
  while (next !== undefined && !found.includes(next)) {
    found.push(next)
    next = own(declared, next)?.fallback
  }
  const [first] = found
  if (first !== undefined) checkFallback(name, { first, isCircle: found.includes(name) }, declared, report)
  return found
}

interface DeclaredFallback {
  readonly first: Locale
  readonly isCircle: boolean
}

function checkFallback(name: Locale, { first, isCircle }: DeclaredFallback, declared: Declared, report: Report): void {
  const fallback = own(declared, first)
  const path = `${name}.fallback`
  if (fallback === undefined) report(path, `there is no locale "${first}"${didYouMean(first, Object.keys(declared))}`)
  else if (isCircle) report(path, 'the locale falls back to itself in the end')
  else if (fallback.private && !declared[name]?.private) {
    report(path, `"${first}" is private: what visitors may not see cannot stand in for what they may`)
  }
}

/** The language that the name of a locale begins with: `fr-CA` is French. */
function languageOf(name: Locale): string {
  return name.toLowerCase().split(/[-_]/, 1)[0] ?? ''
}

/** The locale of a request that names none: the first without a prefix, else the first of all. */
export function defaultLocaleOf(locales: ReadonlyMap<Locale, LocaleOptions>): Locale {
  const all = [...locales.values()]
  return (all.find(({ prefix }) => prefix === '') ?? all[0])?.name ?? ''
}

/** Checks that every locale has its own address, and that without host names exactly one has no prefix. */
function checkAddresses(locales: readonly LocaleOptions[], report: Report): void {
  const addresses = new Map<string, string>()
  for (const { name, prefix, hostname } of locales) {
    const address = `${hostname ?? ''}${prefix.toLowerCase()}`
    const other = addresses.get(address)
    if (other !== undefined && prefix !== '') {
      report(`${name}.prefix`, `"${other}" has the prefix "${prefix}" too`)
    } else if (other !== undefined) {
      report(name, `"${other}" has no prefix either; exactly one locale${hostname ? ' of a host' : ''} has none`)
    }
    addresses.set(address, name)
  }
  const isHostless = locales.length > 0 && locales.every(({ hostname }) => hostname === null)
  if (isHostless && locales.every(({ prefix }) => prefix !== '')) report('', 'exactly one locale has no prefix')
}
