import { invalid } from '../../base/errors.ts'
import type { Condition } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { seesLocale } from '../permissions.ts'
import type { TypeView } from '../view.ts'

/** Parameters of lists that name a locale (§4.5): documents that it lacks, or whose translation there is outdated. */
export const LOCALE_FILTERS = ['missingIn', 'outdatedIn'] as const

type LocaleParameters = { readonly [Name in (typeof LOCALE_FILTERS)[number]]?: unknown }

/**
 * The conditions of these parameters, by name, for callers who may read drafts. Throws `invalid` for types without
 * locales, and alike for unknown locales and those that the caller may not know of.
 */
export function localeFilters(
  ctx: Context,
  { type, rights }: Pick<TypeView, 'type' | 'rights'>,
  parameters: LocaleParameters,
): ReadonlyMap<string, Condition> {
  const filters = new Map<string, Condition>()
  for (const kind of LOCALE_FILTERS) {
    const locale = parameters[kind]
    if (locale === undefined) continue
    if (!type.localized) throw invalid(`${kind}: ${type.pluralLabel} have no locales.`)
    if (typeof locale !== 'string' || !seesLocale(ctx, locale)) throw invalid(`${kind} takes the name of a locale.`)
    filters.set(kind, { kind, type: type.name, locale, isOfArchived: rights.has('editDraft') })
  }
  return filters
}

/** Like `localeFilters`, in a list of several types: of those without locales, nothing is found. */
export function localeFiltersOfMany(
  ctx: Context,
  access: Pick<TypeView, 'type' | 'rights'>,
  parameters: LocaleParameters,
): ReadonlyMap<string, Condition> {
  if (access.type.localized) return localeFilters(ctx, access, parameters)
  const asked = LOCALE_FILTERS.filter((kind) => parameters[kind] !== undefined)
  return new Map(asked.map((kind) => [kind, { kind: 'never' }]))
}
