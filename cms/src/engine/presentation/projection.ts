import { hash } from 'node:crypto'
import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { oncePer } from '../../base/lazy.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { isNamed, isNamedIn } from '../../model/values/walk.ts'

/** The names that every answer has, whatever the projection (§2.1). */
export const ALWAYS = new Set(['_id', 'aposDocId', 'aposLocale', 'aposMode', 'type', 'metaType'])

/** Relationships that are filled in, by the steps that lead to them, with those below each. */
export interface Opened extends ReadonlyMap<string, Opened> {}

/**
 * The part of an answer that is shown, at any depth, and the relationships that are filled in. It never shows
 * what is hidden.
 */
export interface Projection {
  readonly kind: 'only' | 'except'
  readonly names: ReadonlySet<string>
  /** The shown parts of values that are not shown as a whole. */
  readonly below: ReadonlyMap<string, Projection>
  /** Null where as many are filled in as without a request for some. */
  readonly opened: Opened | null
  /** Another projection, which has to show a name, too. */
  readonly also: Projection | null
}

const NOTHING_BELOW: ReadonlyMap<string, Projection> = new Map()
const NONE_OPENED: Opened = new Map()

/** The projection that shows these names alone. */
export function onlyNames(names: Iterable<string>): Projection {
  return { kind: 'only', names: new Set(names), below: NOTHING_BELOW, opened: null, also: null }
}

/** The projection that leaves out these names. */
export function exceptNames(names: Iterable<string>): Projection {
  return { ...onlyNames(names), kind: 'except' }
}

const NOTHING = onlyNames([])
const EVERYTHING = exceptNames([])

/**
 * The parameter `project`: `project[title]=1` shows only what is named, `project[body]=0` leaves it out; null for all.
 * Names with dots lead into objects, arrays, areas (by the type of the widget) and related documents. Throws `invalid`.
 */
export function readProjection(value: unknown): Projection | null {
  if (value === undefined) return null
  if (!isObject(value)) throw invalid('project names fields one by one: project[title]=1.')
  const flags = Object.entries(value).map(([name, flag]) => [name, readFlag(name, flag)] as const)
  if (flags.length === 0) return null
  const shown = flags.filter(([, isShown]) => isShown)
  const paths = (shown.length > 0 ? shown : flags).map(([name]) => name.split('.'))
  return projectionOf(shown.length > 0 ? 'only' : 'except', paths)
}

function readFlag(name: string, flag: unknown): boolean {
  if (flag === '1' || flag === 'true') return true
  if (flag === '0' || flag === 'false') return false
  throw invalid(`project[${name.slice(0, 60)}] is 1 to show the field, 0 to leave it out.`)
}

/** A path that is the beginning of another one stands for both. */
function projectionOf(kind: Projection['kind'], paths: readonly (readonly string[])[]): Projection {
  const names = new Set<string>()
  const below = new Map<string, Projection>()
  for (const [name, ofName] of Map.groupBy(paths, ([first = '']) => first)) {
    const isWhole = ofName.some((steps) => steps.length < 2)
    if (isWhole || kind === 'only') names.add(name)
    const rest = ofName.map((steps) => steps.slice(1))
    if (!isWhole) below.set(name, projectionOf(kind, rest))
  }
  return { ...EVERYTHING, kind, names, below }
}

/** A projection that also says which relationships are filled in. */
export function opening(project: Projection | null, opened: Opened): Projection {
  return { ...(project ?? EVERYTHING), opened }
}

/** True when the projection leaves the field in the answer. */
export function projectsField(projection: Projection | null, field: Field): boolean {
  if (projection === null) return true
  return isNamedIn(field, projection.names) === (projection.kind === 'only') && projectsField(projection.also, field)
}

/** True when the projection leaves this name in the answer, a field's or a computed one. */
export function projectsName(projection: Projection | null, name: string): boolean {
  if (projection === null) return true
  return isNamed(projection.names, name) === (projection.kind === 'only') && projectsName(projection.also, name)
}

/** True for a projection to the id alone: such documents need not be read. */
export function isOfIds(projection: Projection | null): boolean {
  if (projection?.kind !== 'only' || !projection.names.has('_id')) return false
  return [...projection.names].every((name) => ALWAYS.has(name))
}

/** Parts are made once: what is planned by them is found again. */
const knownParts = oncePer<Projection, Map<string, Projection | null>>(() => new Map())

/** The projection inside of a field that is shown; null for everything. */
export function within(projection: Projection | null, name: string): Projection | null {
  return partOf(projection, name, true)
}

/** The projection of the widgets of a type in an area; null for everything. */
export function withinWidget(projection: Projection | null, type: string): Projection | null {
  return partOf(projection, type, projection?.names.has(type) === (projection?.kind === 'only'))
}

function partOf(projection: Projection | null, name: string, isShown: boolean): Projection | null {
  if (projection === null) return null
  const known = knownParts(projection)
  const part = known.get(name)
  if (part !== undefined) return part
  const made = newPart(projection, projection.below.get(name) ?? (isShown ? EVERYTHING : NOTHING), name)
  known.set(name, made)
  return made
}

function newPart({ opened }: Projection, part: Projection, name: string): Projection | null {
  if (opened === null) return part === EVERYTHING ? null : part
  return { ...part, opened: opened.get(name) ?? NONE_OPENED }
}

const bothWith = oncePer((one: Projection) => oncePer((also: Projection): Projection => ({ ...one, also })))

/** The intersection of two projections; null for everything. */
export function bothOf(one: Projection | null, other: Projection | null): Projection | null {
  if (one === null || other === null) return one ?? other
  return bothWith(one)(other)
}

const SHORT_KEY = 100

/** A short text that is the same for equal projections, and for no others. */
export function projectionKey(projection: Projection): string {
  const key = JSON.stringify(partsOf(projection))
  return key.length > SHORT_KEY ? hash('sha256', key, 'base64') : key
}

function partsOf({ kind, names, below, opened }: Projection): unknown[] {
  const inside = [...below].map(([name, part]) => [name, partsOf(part)]).sort()
  return [kind, [...names].sort(), inside, opened && openedKey(opened)]
}

function openedKey(opened: Opened): unknown[] {
  return [...opened].map(([name, below]) => [name, openedKey(below)]).sort()
}
