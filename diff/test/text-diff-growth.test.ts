import { describe, test } from 'vitest'
import { expectLinear } from '../../cms/test/growth.ts'
import { diffTexts, finish } from '../src/index.ts'
import { diffTokens } from '../src/words/diff-tokens.ts'
import { splitWords } from '../src/words/words.ts'
import { compareRichText } from './with-service.ts'

type Pair = readonly [older: string, newer: string]
type Tokens = readonly [older: string[], newer: string[]]

const repeated = (part: string, length: number) => part.repeat(Math.ceil(length / part.length))

const TEXTS: { readonly [title: string]: (length: number) => Pair } = {
  'one letter': (length) => [repeated('a', length), repeated('b', length)],
  'no word in common': (length) => [repeated('one two three. ', length), repeated('four five six. ', length)],
  'every other word': (length) => [repeated('the red fox ', length), repeated('the grey wolf ', length)],
  'a change at both ends': (length) => [`x ${repeated('some words ', length)}`, `${repeated('some words ', length)}y`],
  'single letters': (length) => [repeated('a ', length), repeated('b ', length)],
  marks: (length) => [repeated('.', length), repeated(',', length)],
  'combining marks': (length) => [`a${repeated('\u0301', length)}`, `b${repeated('\u0301', length)}`],
  Han: (length) => [repeated('東京都知事', length), repeated('大阪府', length)],
  Thai: (length) => [repeated('สวัสดี', length), repeated('ครับ', length)],
  'joined emoji': (length) => [repeated('👩\u200d', length), repeated('👧\u200d', length)],
  spaces: (length) => [`a${repeated(' ', length)}b`, `a${repeated('\n', length)}b`],
  'spaces everywhere': (length) => [repeated('a b ', length), repeated('a  b  ', length)],
}

const MARKUP: { readonly [title: string]: (length: number) => Pair } = {
  paragraphs: (length) => [repeated('<p>a</p>', length), repeated('<p>b</p>', length)],
  bold: (length) => [repeated('<b>a</b> ', length), repeated('<i>a</i> ', length)],
  'one word in bold letters': (length) => [repeated('<b>a</b>b', length), repeated('<i>a</i>b', length)],
  links: (length) => [repeated('<a href="/a">x</a> y ', length), repeated('<a href="/b">x</a> y ', length)],
  'other links': (length) => [repeated('<a href="/a">x</a> y ', length), repeated('<a href="/b">z</a> y ', length)],
  images: (length) => [repeated('<img src="/a">', length), repeated('<img src="/b">', length)],
  anchors: (length) => [repeated('<a id="a"></a>', length), repeated('<a id="b"></a>', length)],
  'empty blocks': (length) => [repeated('<p></p>', length), repeated('<p><br></p>', length)],
  cells: (length) => [
    repeated('<tr><td>a</td><td></td></tr>', length),
    repeated('<tr><td></td><td>a</td></tr>', length),
  ],
  'open elements': (length) => [repeated('<div>', length), repeated('<div><b>', length)],
}

/** Numbers that look random. */
function drawTokens(seed: number, kinds: number, length: number): string[] {
  let state = seed
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return `${(state >> 8) % kinds}`
  })
}

const TOKENS: { readonly [title: string]: (length: number) => Tokens } = {
  'two kinds at random': (length) => [drawTokens(1, 2, length), drawTokens(2, 2, length)],
  'many kinds at random': (length) => [drawTokens(1, 3000, length), drawTokens(2, 3000, length)],
  alternating: (length) => [[...repeated('ab', length)], [...repeated('aab', length)]],
  'in the other order': (length) => {
    const tokens = Array.from({ length }, (_, index) => `${index}`)
    return [tokens, tokens.toReversed()]
  },
}

describe('§2.5 comparing texts', () => {
  test.each(Object.entries(TEXTS))('takes linear time for %s', async (_title, make) => {
    await expectLinear(make, ([older, newer]) => [finish(splitWords(older)), diffTexts(older, newer)], 4_000)
  })

  test.each(Object.entries(MARKUP))('takes linear time for rich texts of %s', async (_title, make) => {
    await expectLinear(make, ([older, newer]) => compareRichText(older, newer), 8_000)
  })

  test.each(Object.entries(TOKENS))(
    'stops at the same amount of work for any number of tokens %s',
    async (_title, make) => {
      await expectLinear(make, ([older, newer]) => finish(diffTokens(older, newer)), 20_000)
    },
  )
})
