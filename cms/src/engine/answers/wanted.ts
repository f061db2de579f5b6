import { didYouMean } from '../../base/did-you-mean.ts'
import { invalid } from '../../base/errors.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { area, usesOf } from '../../model/fields/area.ts'
import { targetsOf } from '../../model/values/walk.ts'
import type { Context } from '../context.ts'
import { assertShort } from '../lists/operators.ts'
import { type Opened, opening, type Projection, readProjection } from '../presentation/projection.ts'
import { type TypeView, type Views, viewsOf } from '../view.ts'

/** The parameters that say what of documents is answered (§4.1). */
interface Requested {
  readonly project?: unknown
  readonly withRelationships?: unknown
}

const MOST_PATHS = 50
const MOST_HOPS = 3

/** The projection that a request asks for, of documents of these types; null for everything. Throws `invalid`. */
export function requestedProjection(
  ctx: Context,
  seen: readonly TypeView[],
  { project, withRelationships }: Requested,
): Projection | null {
  if (project === undefined && withRelationships === undefined) return null
  assertShort('project', project)
  const narrowed = readProjection(project)
  const paths = readPaths(withRelationships)
  return paths === null ? narrowed : opening(narrowed, openedBy(viewsOf(ctx), seen, paths))
}

/** The projection of a single document; parameters that are also names of fields the caller sees do not count. */
export function projectionOfOne(
  ctx: Context,
  access: TypeView,
  { project, withRelationships }: Requested,
): Projection | null {
  return requestedProjection(ctx, [access], {
    project: access.field('project') === null ? project : undefined,
    withRelationships: access.field('withRelationships') === null ? withRelationships : undefined,
  })
}

/** The paths of `withRelationships=_speakers._city,_topics`; null without the parameter. */
function readPaths(value: unknown): readonly string[] | null {
  if (value === undefined) return null
  assertShort('withRelationships', value)
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (!texts.every((text) => typeof text === 'string')) {
    throw invalid('withRelationships takes names of relationships: withRelationships=_topics,_speakers._city.')
  }
  const paths = texts.flatMap((text) => text.split(',')).filter((path) => path !== '')
  if (paths.length > MOST_PATHS) throw invalid(`withRelationships takes at most ${MOST_PATHS} paths.`)
  return paths
}

interface Growing extends Map<string, Growing> {}

/** Puts paths together, each of which leads the caller to a relationship. */
function openedBy(views: Views, seen: readonly TypeView[], paths: readonly string[]): Opened {
  const opened: Growing = new Map()
  for (const path of paths) {
    const steps = path.split('.')
    const lookUp = (name: string) => seen.flatMap((view) => view.field(name) ?? [])
    if (!leads(views, lookUp, { steps, hops: 0 })) throw unknown(seen, path)
    let at = opened
    for (const step of steps) {
      const next: Growing = at.get(step) ?? new Map()
      at.set(step, next)
      at = next
    }
  }
  return opened
}

/** Hidden and unknown ones look alike. */
function unknown(seen: readonly TypeView[], path: string): Error {
  const known = seen.flatMap(({ fields }) => fields.filter(({ type }) => type.relation !== undefined))
  const names = [...new Set(known.map(({ name }) => name))]
  const short = path.slice(0, 60)
  return invalid(`withRelationships: ${short} leads to no relationship${didYouMean(short, names) || '.'}`)
}

/** The fields of a name in a holder, which is of one of several types. */
type LookUp = (name: string) => readonly Field[]

/** The rest of a path, and how many relationships were followed so far. */
interface Way {
  readonly steps: readonly string[]
  readonly hops: number
}

/** Whether a path leads to a relationship that the caller sees, by fields that they see. Throws where it is too long. */
function leads(views: Views, lookUp: LookUp, { steps, hops }: Way): boolean {
  const [step = '', ...rest] = steps
  return lookUp(step)
    .filter((field) => !views.hides(field))
    .some((field) => {
      if (field.type.relation === undefined) return leadsInside(views, field, { steps: rest, hops })
      if (hops === MOST_HOPS) throw invalid(`withRelationships follows at most ${MOST_HOPS} relationships.`)
      return rest.length === 0 || leadsBeyond(views, field, { steps: rest, hops: hops + 1 })
    })
}

/** From a relationship on: into its own fields, or those of the documents that it leads to. */
function leadsBeyond(views: Views, field: Field, way: Way): boolean {
  const [step, ...rest] = way.steps
  if (step === '_fields') return leads(views, innerOf(field), { ...way, steps: rest })
  const targets = targetsOf(field).flatMap((name) => views.related(name) ?? [])
  return leads(views, (name) => targets.flatMap((target) => target.field(name) ?? []), way)
}

/** Into an object, the items of an array, or the widgets of a type. */
function leadsInside(views: Views, field: Field, way: Way): boolean {
  const [step = '', ...rest] = way.steps
  if (field.type !== area) return leads(views, innerOf(field), way)
  const fields = usesOf(field).get(step)?.fields
  return leads(views, (name) => listOf(fields?.byName.get(name)), { ...way, steps: rest })
}

function innerOf({ type, options }: Field): LookUp {
  const fields = type.innerFields?.(options)
  return (name) => listOf(fields?.byName.get(name))
}

function listOf(field: Field | null | undefined): readonly Field[] {
  return field ? [field] : []
}
