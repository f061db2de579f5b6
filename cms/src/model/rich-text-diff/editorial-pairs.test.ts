import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { DiffPart } from '../text-diff/diff-part.ts'
import { plainText } from '../values/html-text.ts'
import { compareRichText } from './compare-rich-text.ts'
import type { FormatChange, FormatSide } from './format-change.ts'

interface Pair {
  readonly title: string
  readonly older: string
  readonly newer: string
  /** The diff, and the format changes, one a line. */
  readonly expected: string
}

const pairs = readFileSync(new URL('editorial-pairs.txt', import.meta.url), 'utf8')
  .split('\n== ')
  .slice(1)
  .map(pairOf)

function pairOf(paragraph: string): Pair {
  const [title = '', ...lines] = paragraph
    .trim()
    .replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .split('\n')
  const find = (mark: string) => lines.find((line) => line.startsWith(mark))?.slice(2) ?? ''
  const expected = lines.filter((line) => /^[=~]/.test(line)).map((line) => line.slice(2))
  return { title, older: find('<'), newer: find('>'), expected: expected.join('\n') }
}

function shown(diff: readonly DiffPart[] | null): string {
  const marked = (diff ?? []).map(({ text, change }) => {
    if (change === 'same') return text
    return change === 'added' ? `{+${text}+}` : `[-${text}-]`
  })
  return marked.join('').replaceAll('\n', '⏎')
}

function told({ change, type, text, old, new: now }: FormatChange): string {
  return `${change} ${type} "${text}"${old || now ? ` ${sideOf(old)} → ${sideOf(now)}` : ''}`.replace(/ +/g, ' ').trim()
}

function sideOf(side: FormatSide | undefined): string {
  if (side?.documentId) return `document ${side.documentId}`
  return side?.imageId ? `image ${side.imageId}` : (side?.text ?? '')
}

describe('§2.5 the word diff is one that a person would draw', () => {
  test.each(pairs)('$title', ({ older, newer, expected }) => {
    const { diff, formatChanges } = compareRichText(older, newer)
    expect([shown(diff), ...formatChanges.map(told)].join('\n')).toBe(expected)
    const textOf = (without: DiffPart['change']) =>
      (diff ?? []).flatMap(({ change, text }) => (change === without ? [] : text)).join('')
    expect(textOf('added')).toBe(plainText(older))
    expect(textOf('removed')).toBe(plainText(newer))
  })

  test('in at least five languages', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(40)
    expect(new Set(pairs.map(({ title }) => title.split(':')[0])).size).toBeGreaterThanOrEqual(5)
  })
})
