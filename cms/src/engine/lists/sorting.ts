import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Sort } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { type ReadAccess, seesDate, visibleField } from '../permissions.ts'

/** The list that is sorted: its type, and what of it the caller sees. */
interface Sorting {
  readonly type: Type
  readonly access: ReadAccess
}

/**
 * `sort[field]=1|-1`, `sort=field`, `sort=-field` (§4.1); null when none is requested. Throws `invalid` for
 * a field that the list cannot be sorted by, hidden ones included.
 */
export function readSort(ctx: Context, list: Sorting, value: unknown): Sort[] | null {
  if (value === undefined || value === '' || (isObject(value) && Object.keys(value).length === 0)) return null
  return pairsOf(value).map(([name, direction]) => {
    const sort = sortBy(ctx, list, name, direction)
    if (!sort) throw invalid(`This list cannot be sorted by ${JSON.stringify(name.slice(0, 60))}.`)
    return sort
  })
}

/** The type's own order, as far as the caller sees its fields. */
export function defaultSort(ctx: Context, list: Sorting): Sort[] {
  const seen = list.type.sort.flatMap(({ field, direction }) => sortBy(ctx, list, field, direction) ?? [])
  return seen.length > 0 ? seen : [{ by: 'column', column: 'updatedAt', direction: -1 }]
}

function sortBy(ctx: Context, list: Sorting, name: string, direction: 1 | -1): Sort | null {
  if (seesDate(list.access, list.type, name)) return { by: 'column', column: name, direction }
  const field = visibleField(ctx.actor, list.access, list.type, name)
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
