import type { Json, JsonObject } from 'quire-client'
import { isObject } from './json.ts'

/** Names of items, not words of people. */
const NOT_WORDS = new Set(['type', 'metaType'])

const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
}

/** The words of a document, a paragraph for each text, for those who copy it elsewhere. */
export function plainText(document: JsonObject): string {
  return textsIn(document).join('\n\n')
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return textOf(value)
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  const isShown = ([name]: readonly [string, Json | undefined]) => !name.startsWith('_') && !NOT_WORDS.has(name)
  return Object.entries(value)
    .filter(isShown)
    .flatMap(([, inner]) => textsIn(inner ?? null))
}

function textOf(value: string): string[] {
  const lines = value.replace(/<(\/(p|li|h\d)|br)>/g, '\n').replace(/<\/?[a-z][^>]*>/gi, '')
  const text = lines.replace(/&(amp|lt|gt|quot|nbsp);/g, (entity) => CHARACTERS[entity] ?? entity).trim()
  return text === '' ? [] : [text]
}
