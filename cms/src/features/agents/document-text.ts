import { isObject, own } from '../../base/json.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { area } from '../../model/fields/area.ts'
import type { Agent } from './agent.ts'

type Holder = { readonly [name: string]: unknown }

/**
 * A document as text: one line for each field, in the order of the form, and the ids of items and widgets, by which
 * `write_draft` names them (`@id.field`).
 */
export function documentText(site: Site, fields: readonly Field[], document: Holder): string {
  return fields.flatMap((field) => fieldText({ site, field, value: own(document, field.name) }, '')).join('\n')
}

interface FieldValue {
  readonly site: Site
  readonly field: Field
  readonly value: unknown
}

function fieldText({ site, field, value }: FieldValue, indent: string): string[] {
  if (value === undefined) return []
  const { name, type, options } = field
  const inner = type.innerFields?.(options)?.list ?? []
  if (type === area) return [`${indent}${name} (area):`, ...partsText(site, itemsOf(value), () => null, indent)]
  if (type.relation !== undefined) return [`${indent}${name}: ${relatedText(value)}`]
  if (Array.isArray(value) && inner.length > 0) {
    return [`${indent}${name} (list):`, ...partsText(site, value, () => inner, indent)]
  }
  if (isObject(value) && inner.length > 0)
    return [`${indent}${name} (object):`, ...holderText(site, inner, value, `${indent}  `)]
  return scalarText(name, value, indent)
}

function itemsOf(value: unknown): readonly unknown[] {
  return isObject(value) && Array.isArray(value.items) ? value.items : []
}

function holderText(site: Site, fields: readonly Field[], holder: Holder, indent: string): string[] {
  return fields.flatMap((field) => fieldText({ site, field, value: own(holder, field.name) }, indent))
}

/** Widgets and items, each with its id. */
function partsText(
  site: Site,
  parts: readonly unknown[],
  fieldsOf: (part: Holder) => readonly Field[] | null,
  indent: string,
): string[] {
  return parts.filter(isObject).flatMap((part) => {
    const type = typeof part.type === 'string' ? part.type : ''
    const fields = fieldsOf(part) ?? site.widgets.get(type)?.fields.list ?? []
    return [
      `${indent}- ${[`@${String(part._id)}`, type].join(' ').trim()}`,
      ...holderText(site, fields, part, `${indent}  `),
    ]
  })
}

function relatedText(value: unknown): string {
  const related = (Array.isArray(value) ? value : []).filter(isObject)
  if (related.length === 0) return 'none'
  return related
    .map(({ aposDocId, _id, title }) => `${bareId(aposDocId ?? _id)} ${JSON.stringify(title ?? '')}`)
    .join(', ')
}

/** The id of a document without locale and mode. */
export function bareId(id: unknown): string {
  return String(id ?? '').split(':', 1)[0] ?? ''
}

function scalarText(name: string, value: unknown, indent: string): string[] {
  if (value === null || value === '') return [`${indent}${name}:`]
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (!text.includes('\n')) return [`${indent}${name}: ${text}`]
  return [`${indent}${name}:`, ...text.split('\n').map((line) => `${indent}  | ${line}`)]
}

/** A document on one line; `revision` is what `write_draft` compares. */
export function headOf(agent: Agent, document: Holder, revision: string | undefined): string {
  const { type, aposDocId, _id, aposLocale, aposMode, _url } = document
  const locale = String(aposLocale ?? '').split(':', 1)[0]
  const facts = [
    `${type} ${bareId(aposDocId ?? _id)}`,
    locale ? `locale ${locale}` : null,
    aposMode ? String(aposMode) : null,
    revision ? `revision ${revision}` : null,
    typeof _url === 'string' ? `at ${_url}` : null,
    agent.ctx.site.types.get(String(type))?.label ?? null,
  ]
  return facts.filter((one) => one !== null).join(', ')
}
