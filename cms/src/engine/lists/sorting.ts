import { didYouMean } from '../../base/did-you-mean.ts'
import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { oncePer } from '../../base/lazy.ts'
import { DATES, SCHEDULE_TIMES } from '../../model/terms/document-times.ts'
import type { Sort } from '../../store/contract/store.ts'
import type { TypeView } from '../view.ts'

/**
 * `sort[field]=1|-1`, `sort=field`, `sort=-field` (§4.1); null when none is requested. Throws `invalid` for
 * a field that the list cannot be sorted by, hidden ones included, with the one that may be meant.
 */
export function readSort(access: TypeView, value: unknown): Sort[] | null {
  if (value === undefined || value === '' || (isObject(value) && Object.keys(value).length === 0)) return null
  return pairsOf(value).map(([name, direction]) => {
    const sort = sortBy(access, name, direction)
    if (sort) return sort
    const given = name.slice(0, MOST_SHOWN)
    const hint = didYouMean(given, sortNames(access)) || '.'
    throw invalid(`This list cannot be sorted by ${JSON.stringify(given)}${hint}`)
  })
}

/** The most characters of a name that a message repeats. */
const MOST_SHOWN = 60

/** The type's own order, as far as the caller sees its fields. */
export const defaultSort = oncePer((access: TypeView): readonly Sort[] => {
  const seen = access.type.sort.flatMap(({ field, direction }) => sortBy(access, field, direction) ?? [])
  return seen.length > 0 ? seen : [{ by: 'column', column: 'updatedAt', direction: -1 }]
})

/** The names that the caller may sort a list by. */
export function sortNames(access: TypeView): string[] {
  const names = [...DATES, 'lastPublishedAt', ...SCHEDULE_TIMES, ...access.fields.map(({ name }) => name)]
  return names.filter((name) => sortBy(access, name, 1) !== null)
}

function sortBy(access: TypeView, name: string, direction: 1 | -1): Sort | null {
  if (access.showsDate(name)) return { by: 'column', column: name, direction }
  if (access.showsSchedule(name)) return { by: 'schedule', time: name, direction }
  const field = access.field(name)
  // Documents of types that have no drafts do not say when they were published.
  if (name === 'lastPublishedAt' && field === null && access.shows(name) && access.type.localized) {
    return { by: 'column', column: name, direction }
  }
  if (!field?.type.index || !field.type.scalar || name === 'archived' || name === 'visibility') return null
  if (name === 'title' || name === 'slug') return { by: 'column', column: name, direction }
  return { by: 'field', name, value: field.type.scalar(field.options) === 'text' ? 'text' : 'number', direction }
}

function pairsOf(value: unknown): [string, 1 | -1][] {
  if (typeof value === 'string') return [value.startsWith('-') ? [value.slice(1), -1] : [value, 1]]
  if (!isObject(value)) throw invalid('sort takes one field: sort[title]=1, sort=title or sort=-title.')
  return Object.entries(value).map(([name, direction]) => [name, directionOf(direction)])
}

function directionOf(value: unknown): 1 | -1 {
  if (value === '1') return 1
  if (value === '-1') return -1
  throw invalid('The direction of sort is 1 (ascending) or -1 (descending).')
}
