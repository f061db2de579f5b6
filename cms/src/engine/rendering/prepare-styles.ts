import { hash } from 'node:crypto'
import { CacheMemory, LastingCache } from '../../base/bounded-cache.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { oncePer } from '../../base/lazy.ts'
import type { Site, StyleRule, WidgetType } from '../../model/declared/types.ts'
import { toCss } from '../../model/styles/to-css.ts'
import { namesIn, propertyNames } from '../../model/values/walk.ts'
import type { SceneStyles, WidgetStyles } from '../scene-parts.ts'
import { imageUrls } from './style-images.ts'
import { getWidgetAttributes, getWidgetElements } from './widget-styles.ts'

/** The CSS of a widget's own styles (§4.7 prepareWidgetStyles); the same widget always gets the same. */
export function prepareWidgetStyles({ widgets }: Pick<Site, 'widgets'>, widget: object): WidgetStyles {
  // `as`: widgets are JSON, whatever a template knows of them.
  const values = widget as JsonObject
  const type = widgets.get(String(values.type))
  if (type === undefined || !hasStyles(type)) {
    return { css: '', classes: [], inline: '', styleId: '', widgetId: String(values._id ?? '') }
  }
  const cache = cacheOf(widgets)
  const inputs: unknown[] = [type, values._id]
  addInputs(inputsOf(type.styles.rules), values, inputs)
  const known = cache.get(String(values._id))
  if (known !== undefined && areSame(known.inputs, inputs)) return known.styles
  const styles = newStyles(type, values)
  if (lengthOf(inputs) <= LONGEST_CACHED) cache.set(String(values._id), { inputs, styles })
  return styles
}

const MAX_BYTES = 8_000_000
/** The most characters and values that cached styles are made of. */
const LONGEST_CACHED = 1000

/** The styles of a widget, and all that they are made of: its type and values, and the images that these name. */
interface Prepared {
  readonly inputs: readonly unknown[]
  readonly styles: WidgetStyles
}

/** The styles of widgets that were rendered lately, by their ids. */
const cacheOf = oncePer((_widgets: Site['widgets']) => {
  return new LastingCache<Prepared>({
    memory: new CacheMemory(MAX_BYTES),
    bytesOf: ({ inputs, styles }) => 500 + 2 * (lengthOf(inputs) + styles.css.length + styles.inline.length),
  })
})

function newStyles(type: WidgetType, values: JsonObject): WidgetStyles {
  const styleId = styleIdOf(type, values)
  const imageUrl = imageUrls(type.styles.fields, values)
  const { css, inline, classes } = toCss(type.styles, values, { rootSelector: `#${styleId}`, imageUrl })
  const widgetId = String(values._id ?? '')
  return Object.freeze({ css, inline, classes: Object.freeze([...classes]), styleId, widgetId })
}

/** True for widget types with style fields. */
export function hasStyles({ styles }: WidgetType): boolean {
  return styles.rules.length > 0
}

/** Derives an id from the widget and its styles: a widget may be in an answer twice, as it is and as it was. */
function styleIdOf({ styles }: WidgetType, values: JsonObject): string {
  const stored = styles.fields.list.flatMap(propertyNames).map((name) => values[name])
  const text = JSON.stringify([values._id, stored], (name, value) => (name.startsWith('_') ? undefined : value))
  return `s${hash('sha256', text).slice(0, 24)}`
}

/** The helpers with which templates place the styles of a widget. */
export function sceneStyles(site: Pick<Site, 'widgets'>): SceneStyles {
  return {
    render: (widget) => prepareWidgetStyles(site, widget),
    elements: getWidgetElements,
    attributes: getWidgetAttributes,
  }
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false
  return true
}

function lengthOf(inputs: readonly unknown[]): number {
  return inputs.reduce<number>((sum, input) => sum + (typeof input === 'string' ? input.length : 1), 0)
}

/** A property that styles are made of. */
interface Input {
  readonly name: string
  /** The properties of its value, for objects and boxes. */
  readonly inner: readonly Input[]
}

const inputsOf = oncePer(inputsOfRules)

/** The fields of the rules, and those of their conditions. */
function inputsOfRules(rules: readonly StyleRule[]): Input[] {
  const inputs = rules.flatMap(inputsOfRule)
  const names = new Set(inputs.map(({ name }) => name))
  const others = new Set(rules.flatMap(({ field }) => (field.if === null ? [] : namesIn(field.if))))
  return [...inputs, ...[...others].filter((name) => !names.has(name)).map((name) => ({ name, inner: [] }))]
}

/** The value of a field, and of a relationship the documents shown for it, too. */
function inputsOfRule({ field, inner }: StyleRule): Input[] {
  const inside = field.type.style === 'sides' ? SIDES : inputsOfRules(inner)
  return [...new Set([field.name, ...propertyNames(field)])].map((name) => ({ name, inner: inside }))
}

const SIDES: readonly Input[] = ['top', 'right', 'bottom', 'left'].map((name) => ({ name, inner: [] }))

/** Stands before what an object holds. */
const OBJECT = Symbol('object')

function addInputs(properties: readonly Input[], holder: JsonObject, inputs: unknown[]): void {
  for (const { name, inner } of properties) {
    const value = holder[name]
    if (typeof value !== 'object' || value === null) inputs.push(value)
    else if (inner.length > 0 && isObject(value)) {
      inputs.push(OBJECT)
      addInputs(inner, value, inputs)
    } else inputs.push(OBJECT, JSON.stringify(value))
  }
}
