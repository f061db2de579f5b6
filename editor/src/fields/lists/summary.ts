import type { Json } from 'quire-client'
import type { FormNode, Group, Leaf } from '../../model/form.ts'
import { isObject } from '../../model/json.ts'
import { type HtmlNode, parseHtml } from '../../rich-text/html.ts'

const TEXTS = ['string', 'url', 'email', 'richText', 'relationship', 'oembed', 'video']
const LONGEST = 120

/** One line of what a field holds, as people read it; empty where it holds nothing, or is not shown. */
export function lineOf(node: FormNode): string {
  if (!node.isShown.value) return ''
  if (node.kind === 'leaf') return wordsOfLeaf(node).replace(/\s+/g, ' ').trim().slice(0, LONGEST)
  if (node.kind === 'group') return firstLineOf(node)
  return node.ids.value.map((id) => firstLineOf(node.item(id))).find((line) => line !== '') ?? ''
}

/** The first text in a group, as one line. */
export function firstLineOf(group: Group): string {
  for (const node of group.children.values()) {
    const isText = node.kind !== 'leaf' || TEXTS.includes(node.field.type)
    const line = isText ? lineOf(node) : ''
    if (line !== '') return line
  }
  return ''
}

/** How an item is named: by one of its fields, or the first text that it has; empty where there is none. */
export function titleOfItem(item: Group, titleField: string | undefined): string {
  const node = titleField === undefined ? undefined : item.children.get(titleField)
  return (node && lineOf(node)) || firstLineOf(item)
}

/** All words of a field with one value, as people read them. */
export function wordsOfLeaf({ field, value: { value } }: Leaf): string {
  if (field.type === 'richText') return wordsOfHtml(String(value ?? ''))
  const choice = field.options.choices?.find((one) => one.value === value)
  return choice?.label ?? lineOfValue(value)
}

/** Related documents and videos by their titles. */
function lineOfValue(value: Json): string {
  if (Array.isArray(value)) return value.map(lineOfValue).filter(Boolean).join(', ')
  if (isObject(value)) return String(value.title || value.url || '')
  return value === null ? '' : String(value)
}

/** The words of HTML, whatever it holds: nothing of it is drawn, run or loaded. */
export function wordsOfHtml(html: string): string {
  return parseHtml(html).map(textOfHtml).join(' ')
}

function textOfHtml(node: HtmlNode): string {
  return typeof node === 'string' ? node : node.children.map(textOfHtml).join(node.tag === 'p' ? ' ' : '')
}
