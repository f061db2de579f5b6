import { isObject } from '../../base/json.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { area, usesOf } from '../../model/fields/area.ts'
import { propertyNames, targetsOf } from '../../model/values/walk.ts'
import type { Context } from '../context.ts'
import { AREA_PROPERTIES, PART_PROPERTIES, propertiesOf } from '../values/known-properties.ts'
import type { UnknownName } from '../values/unknown-name.ts'
import { type TypeView, type Views, viewsOf } from '../view.ts'

/** The most names that are looked for in one projection, and the most steps of one. */
const MOST = 100
const MOST_STEPS = 20

/**
 * Lists the names in a `project` (§4.1) that lead to nothing which the caller sees, of documents of these types. Inside of
 * values that have no fields, names are not looked at.
 */
export function unknownProjected(ctx: Context, seen: readonly TypeView[], project: unknown): readonly UnknownName[] {
  if (!isObject(project) || seen.length === 0) return []
  const start = documents(ctx, viewsOf(ctx), seen)
  return Object.keys(project)
    .slice(0, MOST)
    .flatMap((path) => unknownStep([start], path) ?? [])
}

/** A place whose names a step of a path may be. */
interface Place {
  /** The names that may have been meant. */
  readonly names: Iterable<string>
  /** A name that is no field, but is answered: nothing inside of it is named. */
  isProperty(name: string): boolean
  /** The places inside; null where nothing has the name. */
  inside(name: string): readonly Place[] | null
}

function unknownStep(start: readonly Place[], path: string): UnknownName | null {
  let places = start
  const steps = path.split('.', MOST_STEPS)
  for (const [index, step] of steps.entries()) {
    const found = places.map((place) => place.inside(step)).filter((one) => one !== null)
    if (found.length === 0) {
      if (places.some((place) => place.isProperty(step))) return null
      const around = places
      const known = () => around.flatMap(({ names }) => [...names])
      return { path: ['project', ...steps.slice(0, index + 1)].join('.'), known }
    }
    places = found.flat()
    if (places.length === 0) return null
  }
  return null
}

/** Documents of these types, one of which is enough. */
function documents(ctx: Context, views: Views, seen: readonly TypeView[]): Place {
  const types = seen.map(({ type }) => type)
  const properties = new Set(types.flatMap((type) => propertiesOf(ctx, type)))
  // Hooks may have added any `_` names.
  const isOpen = ctx.hooks.has('present', types)
  const fields = seen.flatMap((view) => view.fields)
  return {
    ...place(ctx, views, fields, properties),
    isProperty: (name) => properties.has(name) || (isOpen && name.startsWith('_')),
  }
}

function place(ctx: Context, views: Views, fields: readonly Field[], properties: ReadonlySet<string>): Place {
  return {
    names: [...fields.map(({ name }) => name), ...properties],
    isProperty: (name) => properties.has(name),
    inside: (name) => {
      const named = fields.filter((field) => field.name === name || propertyNames(field).includes(name))
      return named.length === 0 ? null : named.flatMap((field) => insideOf(ctx, views, field))
    },
  }
}

function insideOf(ctx: Context, views: Views, field: Field): Place[] {
  if (field.type === area) return [widgets(ctx, views, field)]
  const inner = field.type.innerFields?.(field.options)
  const own = inner === undefined ? [] : [part(ctx, views, inner)]
  return field.type.relation === undefined ? own : [related(ctx, views, { field, own })]
}

function part(ctx: Context, views: Views, { list }: Fields): Place {
  const seen = list.filter((field) => !views.hides(field))
  return place(ctx, views, seen, PART_PROPERTIES)
}

/** The types of widgets in an area. */
function widgets(ctx: Context, views: Views, field: Field): Place {
  const uses = usesOf(field)
  return {
    names: uses.keys(),
    isProperty: (name) => AREA_PROPERTIES.has(name),
    inside: (name) => {
      const use = uses.get(name)
      return use === undefined ? null : [part(ctx, views, use.fields)]
    },
  }
}

/** Documents that a relationship leads to, and what it says of them. */
function related(
  ctx: Context,
  views: Views,
  { field, own }: { readonly field: Field; readonly own: readonly Place[] },
): Place {
  const targets = targetsOf(field).flatMap((name) => views.related(name) ?? [])
  const there = documents(ctx, views, targets)
  return { ...there, inside: (name) => (name === '_fields' ? own : there.inside(name)) }
}
