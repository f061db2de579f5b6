import type { Schema, TypeInfo } from 'quire-client'

/** The types of which the caller makes pages, by name; home and archive are there once. */
export function newPageTypes({ types, site }: Schema): readonly (readonly [string, TypeInfo])[] {
  const fixed = [`${site.namespace}/home-page`, `${site.namespace}/archive-page`]
  return Object.entries(types).filter(
    ([name, { family, denied }]) => family === 'page' && denied.createDraft === undefined && !fixed.includes(name),
  )
}
