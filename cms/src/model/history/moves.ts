import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { type Aside, asidesOf, setAside } from '../values/aside.ts'
import { declarationPath } from './declarations.ts'
import { isNothing, namesUnder, type Then, takeOut } from './fit-to-declarations.ts'
import type { Container, Move, MovedField, RenamedChoice, RenamedWidget } from './move-steps.ts'

/**
 * Moves what was stored before these moves, in their order; `set` is the name that the type of the content has after
 * them. What is moved is set aside under its new name, where `fitToDeclarations` finds it. What would take the place of another
 * value stays. Changes the content; returns those of the moves that found something to move.
 */
export function follow<One extends Move>(
  moves: readonly One[],
  set: string,
  content: JsonObject,
  then: Then,
): readonly One[] {
  return moves.filter((move: Move) => {
    if (move.kind === 'type') return false
    return move.kind === 'widget' ? renameWidgets(move, content) : moveWithin(move, set, content, then)
  })
}

function renameWidgets({ from, to }: RenamedWidget, content: JsonObject): boolean {
  const widgets = [...widgetsIn(content)].filter(({ type }) => type === from)
  for (const widget of widgets) widget.type = to
  return widgets.length > 0
}

function moveWithin(move: MovedField | RenamedChoice, set: string, content: JsonObject, then: Then): boolean {
  const holders = [...holdersOf(move.set, set, content, then)]
  const moved = holders.map((holder) =>
    move.kind === 'field' ? moveField(move, holder, then) : renameChoice(move, holder),
  )
  return moved.includes(true)
}

/** The holders of a set of fields in a content, also in what is set aside in it. */
function* holdersOf(of: string, set: string, content: JsonObject, then: Then): Generator<JsonObject> {
  const widgetType = /^widget:(?<type>(?:@[^/]+\/)?[^/]+)/.exec(of)?.groups?.type
  const root = widgetType === undefined ? set : `widget:${widgetType}`
  if (of !== root && !of.startsWith(`${root}/`)) return
  const steps = of === root ? [] : of.slice(root.length + 1).split('/')
  const roots = widgetType === undefined ? [content] : [...widgetsIn(content)].filter(({ type }) => type === widgetType)
  for (const holder of roots) yield* inside(holder, root, steps, then)
}

function* inside(holder: JsonObject, set: string, steps: readonly string[], then: Then): Generator<JsonObject> {
  const [step, ...rest] = steps
  if (step === undefined) {
    yield holder
    return
  }
  const path = declarationPath(set, step)
  for (const inner of heldIn(holder, step, path, then)) yield* inside(inner, path, rest, then)
}

/** The objects with fields that a field of a holder contains, and those of a value that was set aside from it. */
function heldIn(holder: JsonObject, name: string, path: string, then: Then): JsonObject[] {
  const aside = asidesOf(holder)[name]
  const type = aside?.type ?? then.declared(path)?.type ?? ''
  const names = namesUnder(type, name)
  return [holder, ...(aside ? [aside.values] : [])].flatMap((values) => names.flatMap((one) => partsOf(values[one])))
}

function partsOf(value: Json | undefined): JsonObject[] {
  if (Array.isArray(value)) return value.filter(isJsonObject)
  if (!isJsonObject(value)) return []
  // The fields of each related document are in an object by id.
  return value.metaType === undefined ? Object.values(value).filter(isJsonObject) : [value]
}

function* widgetsIn(value: Json): Generator<JsonObject> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && value.metaType === 'widget') yield value
  for (const inner of Object.values(value)) yield* widgetsIn(inner)
}

function moveField(move: MovedField, holder: JsonObject, then: Then): boolean {
  const source = sourceOf(move, holder, then)
  if (source === null || isTaken(move, holder, source.type)) return false
  const aside = source.take()
  if (aside === null) return false
  const names = namesUnder(aside.type, move.to)
  const renamed = Object.values(renamedTo(names, source.names, aside.values))
  const values = Object.fromEntries(renamed)
  setAside(targetIn(move, holder), move.to, { ...aside, values })
  return true
}

function renamedTo(to: readonly string[], from: readonly string[], values: JsonObject): [string, Json][] {
  return Object.entries(values).map(([name, value]) => [to[from.indexOf(name)] ?? name, value])
}

/** Where a value is that is to be moved. */
interface Source {
  readonly type: string
  /** The properties that store it. */
  readonly names: readonly string[]
  take(): Aside | null
}

/** Finds the value to move: the stored one, else the one set aside. */
function sourceOf({ set, from }: MovedField, holder: JsonObject, then: Then): Source | null {
  const name = from.at(-1) ?? ''
  const within = from.slice(0, -1)
  const [at] = inside(holder, set, within, then)
  if (at === undefined) return null
  const place = [set, ...within].join('/')
  const was = then.declared(declarationPath(place, name))
  const aside = asidesOf(at)[name]
  const names = was === null ? [] : namesUnder(was.type, name)
  if (was !== null && names.some((one) => !isNothing(at[one] ?? null))) {
    return { type: was.type, names, take: () => takeOut({ set: place, holder: at, then }, name, names, was) }
  }
  if (aside === undefined) return null
  return { type: aside.type, names: namesUnder(aside.type, name), take: () => takeAside(at, name) }
}

function takeAside(holder: JsonObject, name: string): Aside | null {
  const aside = asidesOf(holder)[name] ?? null
  setAside(holder, name, null)
  return aside
}

/** Whether the place that a value is moved to has another one. */
function isTaken({ into, to }: MovedField, holder: JsonObject, type: string): boolean {
  let at: JsonObject | undefined = holder
  for (const container of into) at = at && existing(at, container)
  if (at === undefined) return false
  const values = at
  return asidesOf(at)[to] !== undefined || namesUnder(type, to).some((name) => !isNothing(values[name] ?? null))
}

/** The holder that a value is moved to, which is made where it is missing. */
function targetIn({ into }: MovedField, holder: JsonObject): JsonObject {
  let at = holder
  for (const container of into) at = existing(at, container) ?? made(at, container)
  return at
}

/** Values that are moved into a list by several moves lie in one item. */
function existing(holder: JsonObject, { name, kind }: Container): JsonObject | undefined {
  const value = holder[name]
  if (kind === 'object') return isJsonObject(value) ? value : undefined
  return Array.isArray(value) ? value.filter(isJsonObject).find(({ _id }) => _id === idIn(holder, name)) : undefined
}

function made(holder: JsonObject, { name, kind }: Container): JsonObject {
  const part = { _id: idIn(holder, name), metaType: kind === 'object' ? 'object' : 'arrayItem' }
  const list = holder[name]
  holder[name] = kind === 'object' ? part : [...(Array.isArray(list) ? list : []), part]
  return part
}

/** Returns an id that is the same each time the content is read. */
function idIn(holder: JsonObject, name: string): string {
  return `${typeof holder._id === 'string' ? holder._id : 'moved'}-${name.replaceAll(/[^\w-]/g, '')}`.slice(-64)
}

/** Renames a choice in a field of one or several. */
function renameChoice({ field, from, to }: RenamedChoice, holder: JsonObject): boolean {
  const values = [holder, ...(asidesOf(holder)[field] ? [asidesOf(holder)[field]?.values ?? {}] : [])]
  const changed = values.map((at) => {
    const value = at[field]
    if (value === from) at[field] = to
    else if (Array.isArray(value) && value.includes(from)) {
      at[field] = [...new Set(value.map((one) => (one === from ? to : one)))]
    } else return false
    return true
  })
  return changed.includes(true)
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return isObject(value)
}
