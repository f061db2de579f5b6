import { readXmlText } from './xml-text.ts'

const BEGINNING = 256 * 1024
/** What may precede the first element, with how it ends. */
const PROLOG: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
]

/**
 * The name of the first element when a file is markup: `svg` (with any prefix), `html`, …; `?` for markup that begins
 * otherwise, such as a server-side script. Null when it does not begin with `<`.
 */
export function markupRoot(head: Buffer): string | null {
  const text = readXmlText(head.subarray(0, BEGINNING), false).trimStart()
  if (!/^<[A-Za-z_!?%/:]/.test(text)) return null
  return /^<(?:[\w.-]+:)?([A-Za-z][\w.-]*)/.exec(withoutProlog(text))?.[1] ?? '?'
}

function withoutProlog(text: string): string {
  let rest = text
  for (;;) {
    const skip = prologLength(rest)
    if (skip === 0) return rest
    rest = rest.slice(skip).trimStart()
  }
}

function prologLength(text: string): number {
  for (const [start, end] of PROLOG) {
    if (text.startsWith(start)) return endOf(text, end)
  }
  if (!/^<!doctype\s/i.test(text)) return 0
  const end = endOf(text, '>')
  return text.slice(0, end).includes('[') ? endOf(text, '>', text.indexOf(']')) : end
}

function endOf(text: string, mark: string, from = 0): number {
  const index = text.indexOf(mark, Math.max(0, from))
  return index < 0 ? 0 : index + mark.length
}
