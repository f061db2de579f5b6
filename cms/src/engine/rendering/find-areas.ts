import { isObject, type JsonObject } from '../../base/json.ts'
import { oncePer } from '../../base/lazy.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { usesOf } from '../../model/fields/area.ts'
import { storedValue } from '../../model/values/walk.ts'

/** An area of an answer. */
export interface AnswerArea {
  readonly field: Field
  readonly area: JsonObject
  /** The type, or widget type, that declares the field. */
  readonly declaredBy: string
  /** The path of the field there: `doc.article.body`, `widget.quote.inner`. */
  readonly path: string
  /** The document that it lies in. */
  readonly document: JsonObject
}

/** A widget of an answer. */
export interface AnswerWidget {
  readonly widget: JsonObject
  readonly document: JsonObject
  /** The options that its area sets. */
  readonly options: object
  readonly area: AnswerArea
}

/** All areas and widgets of an answer. */
export class AnswerAreas {
  /** Areas in documents; those inside widgets are not among them. */
  readonly outer: AnswerArea[] = []
  readonly inner: AnswerArea[] = []
  /** All widgets that their areas allow, at any depth, by type. */
  readonly widgets = new Map<string, AnswerWidget[]>()
  readonly places = new Map<object, AnswerWidget>()
  /** Widgets that their areas do not allow: they are not rendered. */
  readonly strays = new Set<object>()
  readonly #site: Site
  readonly #seen = new Set<object>()

  /** Of these documents, and of areas without the documents that they lie in. */
  constructor(site: Site, documents: readonly unknown[], areas: readonly AnswerArea[] = []) {
    this.#site = site
    for (const document of documents) this.add(document)
    for (const area of areas) this.addArea(area)
  }

  /** Looks into a document of an answer, and into those that are part of it. */
  add(document: unknown): void {
    if (!isDocument(document) || this.#seen.has(document)) return
    this.#seen.add(document)
    const type = this.#site.types.get(String(document.type))
    if (type)
      this.#addHolder(type.fields, document, {
        declaredBy: type.name,
        path: `doc.${type.name}`,
        document,
        isInner: false,
      })
    for (const name of RELATIVES) {
      const relatives = document[name]
      if (Array.isArray(relatives)) for (const one of relatives) this.add(one)
      else if (relatives !== undefined) this.add(relatives)
    }
  }

  /** An area alone, whatever it lies in. */
  addArea({ field, area, declaredBy, path, document }: AnswerArea): void {
    this.#addArea(field, area, { declaredBy, path: path.replace(/\.[^.]*$/, ''), document, isInner: false })
  }

  #addHolder(fields: Fields, values: JsonObject, within: Within): void {
    for (const field of containersIn(fields)) {
      if (field.type.relation !== undefined) {
        const related = values[field.name]
        if (Array.isArray(related)) {
          if (related.length === 0) continue
          for (const one of related) this.add(one)
        }
      }
      const value = storedValue(field, values)
      if (typeof value !== 'object' || value === null) continue
      if (field.type.strays && !Array.isArray(value)) this.#addArea(field, value, within)
      else {
        const deeper = { ...within, path: `${within.path}.${field.name}` }
        for (const child of field.type.children?.(value, field.options) ?? [])
          this.#addHolder(child.fields, child.values, deeper)
      }
    }
  }

  #addArea(field: Field, area: JsonObject, within: Within): void {
    if (this.#seen.has(area) || !Array.isArray(area.items)) return
    this.#seen.add(area)
    const { declaredBy, path, document, isInner } = within
    const found = { field, area, declaredBy, path: `${path}.${field.name}`, document }
    if (isInner) this.inner.push(found)
    else this.outer.push(found)
    const uses = usesOf(field)
    for (const stray of field.type.strays?.(area, field.options) ?? []) this.strays.add(stray)
    for (const child of field.type.children?.(area, field.options) ?? []) {
      const { values: widget, fields } = child
      const type = String(widget.type)
      const list = this.widgets.get(type)
      const one = { widget, document, options: uses.get(type)?.options ?? {}, area: found }
      this.places.set(widget, one)
      if (list) list.push(one)
      else this.widgets.set(type, [one])
      this.#addHolder(fields, widget, { declaredBy: type, path: `widget.${type}`, document, isInner: true })
    }
  }
}

/** Where a holder of fields lies. */
interface Within {
  readonly declaredBy: string
  readonly path: string
  readonly document: JsonObject
  readonly isInner: boolean
}

/** Documents that are part of others without being related to them. */
const RELATIVES = ['_ancestors', '_children', '_parent']

/** The fields that areas can lie in. */
const containersIn = oncePer(({ list }: Fields): readonly Field[] => list.filter(canHoldAreas))

/** False for what holds other fields alone. */
function canHoldAreas({ type, options }: Field): boolean {
  if (type.relation !== undefined) return true
  if (type.children === undefined) return false
  return type.innerFields?.(options).list.some(canHoldAreas) ?? true
}

function isDocument(value: unknown): value is JsonObject {
  return isObject(value) && value.metaType === 'doc'
}
