import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuzzing } from '../../cms/test/sample.ts'
import type { DiffPart } from '../src/index.ts'
import { diffTexts, finish } from '../src/index.ts'
import { diffTokens } from '../src/words/diff-tokens.ts'
import { splitWords } from '../src/words/words.ts'

const PIECES = [
  ...'the cat sat on mat . , - ! " ( ) A B don’t 3.14 1,000 2024-05-01'.split(' '),
  ...[' ', ' ', ' ', '  ', '\n', '\r\n', '\u00a0', '\u3000', '\u200d', '\u0301', '\ud800', '\udc00'],
  ...['東京', 'は', '。', 'ひらがな', 'カタカナ', 'สวัสดี', 'مرحبا', '،', 'é', 'e\u0301', '👩‍👩‍👧', '🇫🇷', '𠀀'],
]
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(''))

function joined(diff: readonly DiffPart[] | null, without: DiffPart['change']): string {
  return (diff ?? []).flatMap(({ change, text }) => (change === without ? [] : text)).join('')
}

function expectJoined(older: string, newer: string): void {
  const diff = diffTexts(older, newer)
  expect([joined(diff, 'added'), joined(diff, 'removed')]).toEqual([older, newer])
  expect(diff?.some(({ change }) => change !== 'same')).toBe(older !== newer)
  for (const [index, { change, text }] of (diff ?? []).entries()) {
    const next = diff?.[index + 1]
    expect(text).not.toBe('')
    expect(next?.change).not.toBe(change)
    if (change === 'added') expect(next?.change ?? 'same').toBe('same')
  }
}

describe('§2.5 a word diff', () => {
  test('joins to both texts; what is removed stands before what is added in its place', () => {
    fc.assert(fc.property(texts, texts, expectJoined), fuzzing(1000))
  })

  test('is that of an edit, anywhere in a long text', () => {
    const long = fc.array(texts, { minLength: 20, maxLength: 40 }).map((parts) => parts.join(' '))
    const edits = fc.property(long, texts, fc.nat(), fc.nat(10), (text, added, position, removed) => {
      const at = position % (text.length + 1)
      expectJoined(text, text.slice(0, at) + added + text.slice(at + removed))
    })
    fc.assert(edits, fuzzing(300))
  })

  test('of texts whose common words are in quite another order is none', () => {
    const words = Array.from({ length: 6000 }, (_, index) => `word${index}`)
    expect(diffTexts(words.join(' '), words.toReversed().join(' '))).toBe(null)
    expect(diffTexts('a '.repeat(300_000), 'b '.repeat(300_000))).toBe(null)
    expect(diffTexts(words.join(' '), words.map((word) => `${word}s`).join(' '))).toHaveLength(2)
  })
})

/** The words that texts have in common between two changes, and whether a reader would call it chance. */
const BY_CHANCE: readonly (readonly [what: string, older: string, newer: string, marked: string])[] = [
  [
    'half as many letters as either change',
    'aaa bbb and ccc ddd',
    'eee fff and ggg hhh',
    '[aaa bbb and ccc ddd]{eee fff and ggg hhh}',
  ],
  ['more than half', 'aa bbb and ccc ddd', 'ee fff and ggg hhh', '[aa bbb]{ee fff} and [ccc ddd]{ggg hhh}'],
  [
    'more than half of one',
    'aaaa bbbb and ccc dd',
    'eeee ffff and ggg hh',
    '[aaaa bbbb]{eeee ffff} and [ccc dd]{ggg hh}',
  ],
  [
    'between changes of one word',
    'aaaaaa and cccc dddd',
    'eeeeee and gggg hhhh',
    '[aaaaaa]{eeeeee} and [cccc dddd]{gggg hhhh}',
  ],
  [
    'between two words and one',
    'aaaaaa bbbbbb and cccccc dddddd',
    'eeeeee and gggggg hhhhhh',
    '[aaaaaa bbbbbb and cccccc dddddd]{eeeeee and gggggg hhhhhh}',
  ],
  ['a letter of Han, which counts twice', 'ab c 水 de f', 'gh i 水 jk l', '[ab c]{gh i} 水 [de f]{jk l}'],
  ['a letter that counts once', 'ab c w de f', 'gh i w jk l', '[ab c w de f]{gh i w jk l}'],
  [
    'four words',
    'aaaaaaaaaa bbbbbbbbbb a b c d cccccccccc dddddddddd',
    'eeeeeeeeee ffffffffff a b c d gggggggggg hhhhhhhhhh',
    '[aaaaaaaaaa bbbbbbbbbb a b c d cccccccccc dddddddddd]{eeeeeeeeee ffffffffff a b c d gggggggggg hhhhhhhhhh}',
  ],
  [
    'five words',
    'aaaaaaaaaa bbbbbbbbbb a b c d e cccccccccc dddddddddd',
    'eeeeeeeeee ffffffffff a b c d e gggggggggg hhhhhhhhhh',
    '[aaaaaaaaaa bbbbbbbbbb]{eeeeeeeeee ffffffffff} a b c d e [cccccccccc dddddddddd]{gggggggggg hhhhhhhhhh}',
  ],
]

test.each(BY_CHANCE)('§2.5 a word diff of texts that have in common %s', (_what, older, newer, expected) => {
  const marks = { same: ['', ''], added: ['{', '}'], removed: ['[', ']'] } as const
  const diff = diffTexts(older, newer) ?? []
  expect(diff.map(({ change, text }) => marks[change][0] + text + marks[change][1]).join('')).toBe(expected)
})

/** How many tokens two lists have in common, by the textbook. */
function commonLength(one: readonly string[], other: readonly string[]): number {
  let row = new Array<number>(other.length + 1).fill(0)
  for (const token of one) {
    const next = [0]
    for (const [index, against] of other.entries()) {
      const best = Math.max(row[index + 1] ?? 0, next[index] ?? 0)
      next.push(token === against ? (row[index] ?? 0) + 1 : best)
    }
    row = next
  }
  return row.at(-1) ?? 0
}

describe('§2.5 runs of tokens', () => {
  test('have as much as possible in common, and join to both lists', () => {
    const lists = fc.array(fc.constantFrom(...'abcde'), { maxLength: 20 })
    const property = fc.property(lists, lists, (older, newer) => {
      const runs = finish(diffTokens(older, newer)) ?? []
      const olderTokens = runs.map((run) => older.slice(run.olderStart, run.olderEnd))
      const newerTokens = runs.map((run) => newer.slice(run.newerStart, run.newerEnd))
      expect([olderTokens.flat(), newerTokens.flat()]).toEqual([older, newer])
      const same = [...runs.keys()].filter((index) => runs[index]?.change === 'same')
      expect(same.map((index) => olderTokens[index])).toEqual(same.map((index) => newerTokens[index]))
      const count = same.reduce((sum, index) => sum + (olderTokens[index]?.length ?? 0), 0)
      expect(count).toBe(commonLength(older, newer))
    })
    fc.assert(property, fuzzing(2000))
  })
})

describe('§2.5 words', () => {
  test('join to the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(finish(splitWords(text)).join('')).toBe(text)
      }),
      fuzzing(1000),
    )
  })

  test.each([
    ['It isn’t 3.14, is it?', ['It', ' ', 'isn’t', ' ', '3.14', ',', ' ', 'is', ' ', 'it', '?']],
    ['a \n\n b', ['a', ' \n\n ', 'b']],
    ['東京都は大きい。', ['東京', '都', 'は', '大きい', '。']],
    ['我爱北京', ['我', '爱', '北京']],
    ['สวัสดีครับ', ['สวัสดี', 'ครับ']],
    ['مرحبا، بالعالم', ['مرحبا', '،', ' ', 'بالعالم']],
    ['👩‍👩‍👧🇫🇷e\u0301', ['👩‍👩‍👧', '🇫🇷', 'e\u0301']],
  ])('of %j', (text, words) => {
    expect(finish(splitWords(text))).toEqual(words)
  })
})
