import type { Json, JsonObject, Schema } from 'quire-client'
import { wordsOfHtml } from '../../../fields/lists/summary.ts'
import { t } from '../../../words/words.ts'

type Widgets = Schema['widgets']

/** Fields of blocks in which people write, or that hold such fields. */
const WRITTEN = ['string', 'richText', 'url', 'email', 'oembed', 'area', 'array', 'object', 'relationship']

/** A value as a person reads it: the words of texts, and of documents their titles; a sign where there is nothing. */
export function textOf(value: Json | undefined, widgets: Widgets): string {
  if (typeof value === 'boolean') return value ? t.list.yes : t.list.no
  const words = wordsIn(value, widgets).trim()
  return words === '' ? t.document.nothing : words
}

/** The words in a value; of blocks those that people wrote in them. Empty for none. */
export function wordsIn(value: Json | undefined, widgets: Widgets): string {
  if (value === undefined || value === null || typeof value === 'boolean') return ''
  if (typeof value === 'string') return wordsOfHtml(value)
  if (Array.isArray(value)) return lines(value, widgets)
  if (typeof value !== 'object') return String(value)
  // `as`: lists and nothing are handled above.
  const { title, content, items, ...others } = value as JsonObject
  if (typeof title === 'string' && title !== '') return title
  if (content !== undefined) return wordsIn(content, widgets)
  if (items !== undefined) return wordsIn(items, widgets)
  return lines(
    Object.keys(others).flatMap((name) => (isRead(others, name, widgets) ? [others[name] ?? null] : [])),
    widgets,
  )
}

function lines(values: readonly Json[], widgets: Widgets): string {
  return values
    .map((one) => wordsIn(one, widgets))
    .filter((words) => words !== '')
    .join('\n')
}

function isRead({ metaType, type }: JsonObject, name: string, widgets: Widgets): boolean {
  if (/^_|^metaType$|^type$|(Ids|Fields)$/.test(name)) return false
  const widget = metaType === 'widget' ? widgets[String(type)] : undefined
  if (widget === undefined) return true
  return widget.fields.some((field) => field.name === name && WRITTEN.includes(field.type))
}
