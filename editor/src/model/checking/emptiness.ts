import type { FieldInfo, Json } from 'quire-client'
import { itemsOf } from '../fields.ts'
import { isObject } from '../json.ts'

/** Whether a value is what `required` refuses. A boolean is never empty. */
export function isEmpty(field: FieldInfo, value: Json): boolean {
  if (field.type === 'area') return itemsOf(value).length === 0
  if (field.type === 'richText') return typeof value !== 'string' || isEmptyHtml(value)
  if (field.type === 'object' || field.type === 'box') return isNothing(value)
  return isBlank(value) || (Array.isArray(value) && value.length === 0)
}

function isBlank(value: Json | undefined): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
}

function isNothing(value: Json | undefined): boolean {
  if (isBlank(value) || (Array.isArray(value) && value.length === 0)) return true
  const names = isObject(value) ? Object.entries(value) : null
  return names?.every(([name, one]) => name === '_id' || name === 'metaType' || isNothing(one)) ?? false
}

function isEmptyHtml(html: string): boolean {
  const text = html.replace(/<[^>]*>/g, '').replace(/&nbsp;|&#160;/g, ' ')
  return text.trim() === '' && !/<(?:img|hr|table)\b/.test(html)
}
