import { isObject, joinPath, own, type UnknownObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { area } from '../../model/fields/area.ts'
import type { Context } from '../context.ts'
import { type Views, viewsOf } from '../view.ts'
import {
  AREA_PROPERTIES,
  byAnyName,
  insideOf,
  insidesOf,
  PART_PROPERTIES,
  partsOf,
  propertiesOf,
} from './known-properties.ts'
import type { UnknownName } from './unknown-name.ts'

/** The body of a document, and the types that it may be of: several, where it does not say which. */
interface DocumentBody {
  readonly types: readonly Type[]
  readonly body: UnknownObject
  /** Its keys may be paths and operators. */
  readonly isPatch: boolean
}

/** The most names that are looked for in one body. */
const MOST = 100

/** Longer patches, and longer paths in them, are refused. */
const MOST_OPERATIONS = 500
const MOST_STEPS = 200

const RELATED_PROPERTIES: ReadonlySet<string> = new Set()

/**
 * Lists the properties of a body, at any depth, that belong to no field which the caller sees (§0.4). Properties that
 * documents are answered with are none: documents are sent back as they were read. A body that restores a version only
 * names it.
 */
export function unknownProperties(ctx: Context, document: DocumentBody): readonly UnknownName[] {
  const { types, body, isPatch } = document
  const properties = new Set(types.flatMap((type) => propertiesOf(ctx, type)))
  const search = new Search(viewsOf(ctx), { types, properties, isOpen: ctx.hooks.has('present', types) })
  if (isPatch) search.patch(body)
  else if (!own(body, '_restoreVersion')) search.whole(body)
  return search.found
}

/** The names that a body may have. */
interface Sought {
  readonly types: readonly Type[]
  /** Names at its top, in addition to fields. */
  readonly properties: ReadonlySet<string>
  /** Hooks may have added any `_` names to what is sent back. */
  readonly isOpen: boolean
}

/** The fields that an object of a body may have, its other names, and where it lies. */
interface Place {
  readonly fields: readonly Fields[]
  readonly properties: ReadonlySet<string>
  readonly path: string
}

class Search {
  readonly found: UnknownName[] = []
  readonly #views: Views
  readonly #fields: readonly Fields[]
  readonly #properties: ReadonlySet<string>
  readonly #isOpen: boolean
  #allParts: readonly Fields[] | undefined

  constructor(views: Views, { types, properties, isOpen }: Sought) {
    this.#views = views
    this.#fields = types.map(({ fields }) => fields)
    this.#properties = properties
    this.#isOpen = isOpen
  }

  whole(body: UnknownObject): void {
    this.#holder(body, { fields: this.#fields, properties: this.#properties, path: '' })
  }

  /** The keys of a PATCH: fields, paths, and operators with paths. */
  patch(body: UnknownObject): void {
    for (const [key, value] of Object.entries(body).slice(0, MOST_OPERATIONS)) {
      if (this.found.length >= MOST) return
      if (key === '_patches' && Array.isArray(value))
        for (const one of value.filter(isObject).slice(0, MOST_OPERATIONS)) this.patch(one)
      else if (!key.startsWith('$')) {
        this.#path(key, (fields) =>
          IS_PART.test(key) ? this.#part(fields, value, key) : this.#value(fields, value, key),
        )
      } else if (isObject(value))
        for (const [path, operand] of Object.entries(value).slice(0, MOST_OPERATIONS)) this.#operand(path, operand)
    }
  }

  /** Checks the values that `$push` and `$addToSet` append; operators that take values away need only their path. */
  #operand(path: string, operand: unknown): void {
    const each = isObject(operand) ? (own(operand, '$each') ?? operand) : operand
    const isPlace = isObject(operand) && ['$item', '$position', '$each'].every((name) => !Object.hasOwn(operand, name))
    this.#path(path, (fields) => {
      if (Array.isArray(each) || isPlace) this.#parts(fields, Array.isArray(each) ? each : [each], path)
    })
  }

  /** Follows a path by the declared fields; an `@id` may lead to any part of the document. */
  #path(path: string, visit: (fields: readonly Field[]) => void): void {
    let inside = this.#fields
    let fields: readonly Field[] = []
    for (const [index, step] of path.split('.', MOST_STEPS).entries()) {
      const named = this.#named(inside, step)
      if (step.startsWith('@')) inside = fields.length > 0 ? inside : this.#everywhere()
      if (named.length === 0 && (step.startsWith('@') || (index > 0 && IN_VALUE.test(step)))) continue
      const properties = index === 0 ? this.#properties : PART_PROPERTIES
      if (named.length === 0 && !this.#isKnown(step, properties)) this.#add(path, inside, properties)
      if (!named.some(({ name }) => name === step)) return
      fields = named
      inside = fields.flatMap(insidesOf)
      if (inside.length === 0) break
    }
    if (fields.length > 0 && !path.endsWith('._fields')) visit(fields)
  }

  #everywhere(): readonly Fields[] {
    this.#allParts ??= partsOf(this.#fields)
    return this.#allParts
  }

  #holder(holder: UnknownObject, { fields, properties, path }: Place): void {
    for (const [name, value] of Object.entries(holder)) {
      if (this.found.length >= MOST) return
      const named = this.#named(fields, name)
      const at = joinPath(path, name)
      if (named.some((field) => field.name === name)) this.#value(named, value, at)
      else if (named.length === 0 && !this.#isKnown(name, properties)) this.#add(at, fields, properties)
    }
  }

  /** Checks the value of a field; of several, where a body does not say which. */
  #value(fields: readonly Field[], value: unknown, path: string): void {
    if (Array.isArray(value)) this.#parts(fields, value, path)
    else if (fields.every(({ type }) => type === area)) {
      if (!isObject(value)) return
      this.#holder(value, { fields: [], properties: AREA_PROPERTIES, path })
      if (Array.isArray(value.items)) this.#parts(fields, value.items, path)
    } else if (fields.every(({ type }) => type.relation === undefined)) this.#part(fields, value, path)
  }

  #parts(fields: readonly Field[], values: readonly unknown[], path: string): void {
    for (const [index, value] of values.entries()) {
      const id = isObject(value) ? own(value, '_id') : undefined
      this.#part(fields, value, joinPath(path, typeof id === 'string' ? id : String(index)))
    }
  }

  /** An object, an item, a widget, or what is said of a related document. */
  #part(fields: readonly Field[], value: unknown, path: string): void {
    if (!isObject(value) || this.found.length >= MOST) return
    const inside = fields.map((field) => insideOf(field, value))
    const known = inside.filter((one) => one !== undefined)
    if (known.length === 0 || known.length < inside.length) return
    const isRelated = fields.some(({ type }) => type.relation !== undefined)
    const holder = isRelated ? own(value, '_fields') : value
    const properties = isRelated ? RELATED_PROPERTIES : PART_PROPERTIES
    if (isObject(holder)) this.#holder(holder, { fields: known, properties, path })
  }

  #named(all: readonly Fields[], name: string): readonly Field[] {
    const named = all.flatMap((fields) => byAnyName(fields).get(name) ?? [])
    return named.filter((field) => !this.#views.hides(field))
  }

  #isKnown(name: string, properties: ReadonlySet<string>): boolean {
    return properties.has(name) || name === PLACEHOLDER || (this.#isOpen && name.startsWith('_'))
  }

  #add(path: string, all: readonly Fields[], properties: ReadonlySet<string>): void {
    const fields = () => all.flatMap(({ list }) => list.filter((field) => !this.#views.hides(field)))
    this.found.push({ path, known: () => [...fields().map(({ name }) => name), ...properties] })
  }
}

/** A step of a path that leads to a part of a value, not to a field. */
const IN_VALUE = /^(?:\d+|items|_fields)$/
/** A path that ends in one part of a value. */
const IS_PART = /\.(?:\d+|@[^.]*)$/
/** Widgets of other services have it. */
const PLACEHOLDER = 'aposPlaceholder'
