import type { Schema } from 'quire-client'

/** A schema in which only names of the site are found: addresses and content may name anything, `constructor`, too. */
export function withOwnNames(schema: Schema): Schema {
  for (const named of [schema.types, schema.widgets, schema.site.locales]) Object.setPrototypeOf(named, null)
  return schema
}
