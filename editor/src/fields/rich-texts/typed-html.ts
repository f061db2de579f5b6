import type { TypedKey } from '../../rich-text/index.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The paragraphs that keys make where nothing edits them; empty where they make no text. */
export function typedHtml(keys: readonly TypedKey[]): string {
  const lines = keys.reduce(withKey, '').split('\n')
  return lines.map((line) => (line.trim() === '' ? '' : `<p>${escaped(line)}</p>`)).join('')
}

function withKey(text: string, key: TypedKey): string {
  if ('text' in key) return text + key.text
  if (key.key === 'Enter') return `${text}\n`
  return key.key === 'Backspace' ? Array.from(text).slice(0, -1).join('') : text
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)
}
