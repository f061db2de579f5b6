import { z } from 'zod'
import { copyJson, isObject, type Json, type JsonObject, type JsonSchema, own } from '../../base/json.ts'
import { oneOfTypes, refTo } from '../../base/json-schema.ts'
import { diffItems } from '../field-type/diff-items.ts'
import type { Field, FieldType, Holder, Part, Reading, WidgetUse } from '../field-type/field-type.ts'
import { amountBounds, checkBounds } from '../field-type/options.ts'
import { checkCount, isBlank } from '../field-type/outside.ts'
import { textOfAll } from '../values/walk.ts'
import { countSchema, type ItemInput, itemInputs, itemProperties, readItemId } from './items.ts'

const options = z
  .strictObject({
    ...amountBounds,
    /** The widget types allowed, each with its options here. */
    widgets: z.record(z.string(), z.record(z.string(), z.unknown())),
  })
  .transform((given) => ({ ...given, uses: noUses() }))

type AreaOptions = z.infer<typeof options>
type AreaValue = { _id: string; metaType: 'area'; items: JsonObject[] }

/** Widgets in order. A plain HTML string becomes one rich text widget (§2.13). */
export const area: FieldType<AreaOptions, AreaValue> = {
  name: 'area',
  countsItems: true,
  options,
  blank: (_options, newId) => ({ _id: newId(), metaType: 'area', items: [] }),
  read(input, options, reading, before) {
    // An answer with `render-areas` that is sent back: it did not show the widgets, so that they stay as they are.
    if (before && isRendered(input)) return copyJson(before)
    const list = givenWidgets(input, options, reading)
    checkCount(list.length, options, reading, before?.items.length)
    const widgets = itemInputs(list, before?.items ?? [], reading).map((item) => readWidget(item, options, reading))
    const items = widgets.filter((widget) => widget !== null)
    return { _id: readItemId(input, before, reading), metaType: 'area', items }
  },
  toText: (value, options, names) =>
    [...holders(value, options)].map(({ fields, values }) => textOfAll(fields, values, names)).join('\n'),
  jsonSchema: ({ uses, min, max }, use) => {
    const { properties } = itemProperties('area', use)
    if (use.widget === null) return renderedSchema(properties)
    const items = { type: 'array', ...countSchema(min, max, use), items: widgetsSchema([...uses.keys()], use.widget) }
    const isAnswer = use.side === 'answer'
    return {
      type: 'object',
      required: isAnswer ? ['_id', 'metaType', 'items'] : ['items'],
      properties: {
        ...properties,
        items: { description: 'Widgets in order.', ...items },
        ...(isAnswer && {
          _rendered: { type: 'null', description: 'Only with `render-areas`.' },
        }),
      },
    }
  },
  check: checkBounds,
  compile(options, compiler) {
    const uses = Object.entries(options.widgets).map(([name, use]) => compiler.widget(name, use, `widgets.${name}`))
    return { ...options, uses: new Map(uses.filter((use) => use !== null).map((use) => [use.name, use])) }
  },
  diff: (older, newer, options) =>
    diffItems({
      kind: 'area',
      older: older?.items ?? [],
      newer: newer?.items ?? [],
      part: (holder, ordinal) => widgetPart(holder, ordinal, options),
      isSame: (one, other) => one.type === other.type,
    }),
  children: holders,
  strays: (value, { uses }) => value.items.filter((item) => !uses.has(String(item.type))),
  without: (value, ids) => ({ ...value, items: value.items.filter(({ _id }) => !ids.has(String(_id))) }),
  isEmpty: (value) => value.items.length === 0,
}

/** The widget types that an area allows, by name. */
export function usesOf(field: Field): ReadonlyMap<string, WidgetUse> {
  // `as`: the field is an area; these are its compiled options.
  return (field.options as { readonly uses: ReadonlyMap<string, WidgetUse> }).uses
}

function widgetPart(holder: JsonObject, ordinal: number, { uses }: AreaOptions): Part {
  const widgetType = String(holder.type)
  const segment = { of: 'widget', name: String(holder._id), ordinal, widgetType } as const
  return { segment, holder, fields: uses.get(widgetType)?.fields ?? null }
}

/** Returns the shape of an area as HTML; absent parts are named, so that both shapes can be distinguished. */
function renderedSchema(properties: { readonly [name: string]: JsonSchema }): JsonSchema {
  return {
    type: 'object',
    required: ['_id', 'metaType', '_rendered'],
    properties: {
      ...properties,
      items: { type: 'null', description: 'Only without `render-areas`.' },
      _rendered: { type: 'string', description: 'Its HTML.' },
    },
  }
}

/** Returns the shape of one of several widget types, distinguished by `type`. */
function widgetsSchema(names: readonly string[], component: (name: string) => string): JsonSchema {
  const [only, ...others] = names
  if (only === undefined) return { type: 'object', required: ['_id', 'metaType', 'type'] }
  return others.length === 0 ? refTo(component(only)) : oneOfTypes(names.map((name) => [name, component(name)]))
}

/** The name of a widget type's shape among the OpenAPI components: `widget.cms.rich-text` for `@cms/rich-text`. */
export function widgetSchemaName(name: string, suffix: string): string {
  return `widget.${name.replace(/^@/, '').replace(/[^A-Za-z0-9_-]+/g, '.')}${suffix}`
}

function noUses(): ReadonlyMap<string, WidgetUse> {
  return new Map()
}

/** True for an area as answers with `render-areas` have it: HTML in place of its widgets (§2.1). */
function isRendered(input: unknown): boolean {
  return isObject(input) && typeof own(input, '_rendered') === 'string' && isBlank(own(input, 'items'))
}

function givenWidgets(input: unknown, { uses }: AreaOptions, reading: Reading): readonly unknown[] {
  if (isBlank(input)) return []
  if (typeof input === 'string') {
    const richText = [...uses.values()].find(({ fields }) => fields.byName.get('content')?.type.setByAreas)
    if (richText) return [{ type: richText.name, content: input }]
    reading.problem('This area does not accept text. Send an object with items.')
    return []
  }
  if (isRendered(input)) {
    reading.problem('This area was rendered as HTML, which cannot be stored. Send its items.')
    return []
  }
  const items = isObject(input) ? own(input, 'items') : undefined
  if (isObject(input) && (items === undefined || items === null)) return []
  if (Array.isArray(items)) return items
  reading.problem('This must be an area: an object with a list of items, or HTML as text.')
  return []
}

/**
 * A widget of a type that the area no longer allows stays as stored. One that is refused keeps its index, for further
 * problems; null: it is left out.
 */
function readWidget(item: ItemInput, { uses }: AreaOptions, reading: Reading): JsonObject | null {
  const type = own(item.values, 'type')
  const use = typeof type === 'string' ? uses.get(type) : undefined
  if (use) {
    const isHere = item.before?.type === type
    const before = isHere ? item.before : reading.storedElsewhere(item.id, use.fields, use.name)
    return {
      _id: item.id,
      metaType: 'widget',
      type: use.name,
      ...reading.holder(use.fields, item.values, item.step, before),
    }
  }
  const stray = [item.before, namedWidget(reading.named, item.id)].find((stored) => stored && stored.type === type)
  if (stray) return copyJson(stray)
  const names = [...uses.keys()].join(', ')
  reading.problem(`This area does not allow that widget. Its "type" must be one of ${names}.`, 'invalid', item.step)
  return reading.leavesOut ? null : { _id: item.id, metaType: 'widget' }
}

function namedWidget(named: Json, id: string): JsonObject | null {
  // `as`: what is stored in an area's place is an area.
  return (named as AreaValue | null)?.items.find(({ _id }) => _id === id) ?? null
}

function holders(value: AreaValue, { uses }: AreaOptions): readonly Holder[] {
  return value.items.flatMap((item) => {
    const use = uses.get(String(item.type))
    return use ? { step: String(item._id), values: item, fields: use.fields } : []
  })
}
