import type { Json } from 'quire-client'
import { wordsOfHtml } from '../../../ui/safe-html.tsx'
import { t } from '../../../words/words.ts'

/** A value as a person reads it: the words of texts, and of documents their titles. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return t.document.nothing
  if (typeof value === 'string') return wordsOfHtml(value)
  if (Array.isArray(value)) return value.map(textOf).join('\n')
  if (typeof value === 'boolean') return value ? t.list.yes : t.list.no
  if (typeof value !== 'object') return String(value)
  const { title, content, items, ...others } = value as Readonly<Record<string, Json>>
  if (typeof title === 'string' && title !== '') return title
  if (content !== undefined) return textOf(content)
  if (items !== undefined) return textOf(items)
  const own = Object.entries(others).filter(([name]) => !/^_|^metaType$|^type$|(Ids|Fields)$/.test(name))
  return own.map(([, one]) => textOf(one)).join('\n')
}
