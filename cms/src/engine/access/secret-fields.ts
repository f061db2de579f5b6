import type { Site } from '../../model/declared/types.ts'
import type { Fields } from '../../model/field-type/field-type.ts'

const namesOfSites = new WeakMap<Site, ReadonlySet<string>>()

/** True for JSON from outside with a value for a secret field of the site, such as a password, at any depth. */
export function holdsSecrets(site: Site, value: unknown): boolean {
  const names = namesOfSites.get(site) ?? secretNames(site)
  namesOfSites.set(site, names)
  return names.size > 0 && hasName(value, names)
}

/** The names of the secret fields of all types and widgets. */
function secretNames({ types, widgets }: Site): ReadonlySet<string> {
  const names = new Set<string>()
  const addFrom = (fields: Fields): void => {
    for (const { name, type, options } of fields.list) {
      if (type.secret !== undefined) names.add(name)
      const inner = type.innerFields?.(options)
      if (inner) addFrom(inner)
    }
  }
  for (const { fields } of [...types.values(), ...widgets.values()]) addFrom(fields)
  return names
}

/** Names may be paths, as in `members.0.password` of a PATCH. */
function hasName(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, inner]) => names.has(name.slice(name.lastIndexOf('.') + 1)) || hasName(inner, names),
  )
}
